import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetBuilt, isBuilt, noteBuilt, sourcesOf } from '../../scripts/built-from.mjs'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const FILES = [
  'src/main.ts',
  'src/a/b.ts',
  'dashboard/index.html',
  'package.json',
  'package-lock.json',
  'rolldown.config.js',
  'dist/main.js',
]

/** A project that has just been built. */
async function project(): Promise<string> {
  const root = await temporaryFolder()
  for (const folder of ['src/a', 'src/transports/mcp', 'dashboard', 'scripts/build', 'dist'])
    await mkdir(join(root, folder), { recursive: true })
  for (const file of FILES) await writeFile(join(root, file), 'x')
  expect(isBuilt(root, sourcesOf(root))).toBe(false)
  noteBuilt(root, sourcesOf(root))
  expect(isBuilt(root, sourcesOf(root))).toBe(true)
  return root
}

const LONG_AGO = new Date(1_000_000)

test.each<[string, (root: string) => Promise<unknown>]>([
  ['a source is changed', (root) => writeFile(join(root, 'src/a/b.ts'), 'y')],
  ['a source is put back to an older one', (root) => utimes(join(root, 'src/a/b.ts'), LONG_AGO, LONG_AGO)],
  ['a source is added', (root) => writeFile(join(root, 'src/a/c.ts'), '')],
  ['a source is deleted', (root) => rm(join(root, 'src/a/b.ts'))],
  ['the page is changed', (root) => writeFile(join(root, 'dashboard/index.html'), 'yy')],
  ['the configuration is changed', (root) => writeFile(join(root, 'rolldown.config.js'), 'yy')],
  ['a part of the build is added', (root) => writeFile(join(root, 'scripts/build/new.mjs'), '')],
  ['the packages are changed', (root) => writeFile(join(root, 'package-lock.json'), 'yy')],
  ['the program is gone', (root) => rm(join(root, 'dist/main.js'))],
  ['another build has emptied dist', (root) => rm(join(root, 'dist/built-from.json'))],
])('it is built again when %s', async (_, change) => {
  const root = await project()
  await change(root)
  expect(isBuilt(root, sourcesOf(root))).toBe(false)
})

test('another folder has a note of its own, and may be built from more', async () => {
  const root = await project()
  await mkdir(join(root, 'other'))
  await mkdir(join(root, 'test'))
  await writeFile(join(root, 'other/main.js'), '')
  const sources = () => sourcesOf(root, ['test'])
  expect(isBuilt(root, sources(), 'other')).toBe(false)
  noteBuilt(root, sources(), 'other')
  expect([isBuilt(root, sources(), 'other'), isBuilt(root, sourcesOf(root))]).toEqual([true, true])
  await writeFile(join(root, 'test/new.ts'), '')
  expect([isBuilt(root, sources(), 'other'), isBuilt(root, sourcesOf(root))]).toEqual([false, true])
  noteBuilt(root, sources(), 'other')
  forgetBuilt(root, 'other')
  expect([isBuilt(root, sources(), 'other'), isBuilt(root, sourcesOf(root))]).toEqual([false, true])
})

test('what the build makes itself is no source', async () => {
  const root = await project()
  await writeFile(join(root, 'src/transports/mcp/tool-table.json'), '{}')
  expect(isBuilt(root, sourcesOf(root))).toBe(true)
})

test('every script that the build imports is among the sources', async () => {
  const root = join(import.meta.dirname, '../..')
  const configs = ['rolldown.config.js', 'dashboard/vite.config.ts', 'package.json']
  const texts = await Promise.all(configs.map((path) => readFile(join(root, path), 'utf8')))
  const build = /"build": "(.*)"/.exec(texts[2] ?? '')?.[1] ?? ''
  expect(build).toBe('npm run --silent tables && rolldown -c rolldown.config.js && vite build dashboard')
  const scripts = texts.slice(0, 2).flatMap((text) => text.match(/scripts\/[\w/-]+\.mjs/g) ?? [])
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of [...scripts, 'scripts/tables.mjs']) expect(sourcesOf(root)).toContain(`"${script} `)
})
