// Fills the last column of docs/GUARANTEES.md with the test files whose test names carry the id of the row.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const path = join(root, 'docs/GUARANTEES.md')
/** Tests are not in the package, so a link leads to the repository. */
const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const source = homepage.replace(/#.*/, '/blob/main')

/** Ids in the names of tests, by file. A name begins with its ids: `R1 R3: …`. */
export function idsByFile() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.(test|contract|long)\.ts$/.test(file))
    .toSorted((a, b) => a.localeCompare(b))
    .map((file) => {
      const text = readFileSync(join(root, 'test', file), 'utf8')
      const names = [...text.matchAll(/['"`]((?:[SRI]\d+[ ,]*)+):/g)].map(([, ids]) => ids)
      return { file: `test/${file}`, ids: new Set(names.flatMap((ids) => ids.match(/[SRI]\d+/g) ?? [])) }
    })
}

export function guarantees(text) {
  const files = idsByFile()
  return text.replace(/^\| ([SRI]\d+) \| (.*?) \|.*\|$/gm, (_, id, promise) => {
    const shown = files
      .filter(({ ids }) => ids.has(id))
      .map(({ file }) => `[${file.split('/').at(-1)}](${source}/${file})`)
    return `| ${id} | ${promise} | ${shown.join(', ')} |`
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(path, guarantees(readFileSync(path, 'utf8')))
