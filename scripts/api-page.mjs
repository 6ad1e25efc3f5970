// Writes docs/API.md: all operations and verbs, from the schemas that check their input.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const built = join(root, '.cache/tables/api-page.mjs')
await build({
  cwd: root,
  input: join(root, 'src/reference/api-page.ts'),
  platform: 'node',
  external: [/^node:/],
  logLevel: 'warn',
  output: { file: built, format: 'esm', codeSplitting: false },
})
const { apiPage } = await import(pathToFileURL(built).href)
writeFileSync(join(root, 'docs/API.md'), apiPage())
