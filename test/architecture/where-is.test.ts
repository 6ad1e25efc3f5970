import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')
const [, section = ''] = page.split('\n## 4. Where is …\n')
const [table = ''] = section.split('\n## ')
const rows = [...table.matchAll(/^\| ([^|]+) \| `([^`]+\.ts)` \| `(\w+)` \|$/gm)].map(
  ([, thing = '', file = '', name = '']) => ({ thing, file, name }),
)

/** What a user of Plexus knows, by its first word. */
const THINGS =
  'start say wait ask allow deny remember expiry interrupt stop resume fork tree nested escalate form plan cost trust tokens scopes bypass guards events metrics log retention full adoption finding'

function exportOf(name: string): RegExp {
  return new RegExp(`^export (async )?(function|const|class|interface|type) ${name}\\b`, 'm')
}

test('each of the 30 things that a user knows has its file', () => {
  expect(rows.map(({ thing }) => thing.split(/[ :]/)[0])).toEqual(THINGS.split(' '))
})

test('every file of the table is there and exports the name beside it', () => {
  const wrong = rows.filter(({ file, name }) => {
    const path = join(root, 'src', file)
    return !existsSync(path) || !exportOf(name).test(readFileSync(path, 'utf8'))
  })
  expect(wrong).toEqual([])
})
