import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
)
files.push(...readdirSync(root).map((file) => `/${file}`))

const PAGES = ['docs/ASKING.md', 'docs/CHILD.md', 'test/rig/README.md']

test.each(PAGES)('every file that %s names is there', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const named = [...text.matchAll(/[\w./-]+\.(?:ts|json)\b/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(
    (name) => name !== 'mcp.json' && !files.some((file) => file.endsWith(`/${name}`)),
  )
  expect(missing).toEqual([])
})
