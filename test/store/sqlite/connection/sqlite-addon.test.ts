import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isMusl, loadAddon } from '../../../../src/store/sqlite/connection/sqlite-addon.ts'
import { temporaryFolder } from '../../../rig/cli/real-cli.ts'

test('the addon for this machine opens a database', () => {
  const { DatabaseSync } = loadAddon()
  const database = new DatabaseSync(':memory:')
  expect(database.prepare('SELECT 1 + 1 AS two').get()).toEqual({ two: 2 })
  database.close()
})

test('where there is no addon for the machine, the sentence names it and the Node to use', () => {
  expect(() => loadAddon('darwin', 'ppc')).toThrow(
    /^Node \S+ has no SQLite, and Plexus brings none for darwin ppc; use Node 22\.13 or later, which has its own\.$/,
  )
})

test('an addon that cannot be loaded is an error of one sentence too', () => {
  const other = process.arch === 'x64' ? 'arm64' : 'x64'
  expect(() => loadAddon(process.platform, other)).toThrow(
    /, and the one that Plexus brings for .* cannot be loaded here; use Node 22\.13 or later, which has its own\.$/,
  )
})

test('a program is linked against musl if the loader at its beginning is that of musl', async () => {
  const folder = await temporaryFolder()
  const program = async (text: string) => {
    await writeFile(join(folder, 'program'), text)
    return isMusl(join(folder, 'program'))
  }
  expect(await program('\x7fELF\0\0/lib/ld-musl-x86_64.so.1\0')).toBe(true)
  expect(await program('\x7fELF\0\0/lib64/ld-linux-x86-64.so.2\0')).toBe(false)
  expect(await program(`${'\0'.repeat(5000)}/lib/ld-musl-x86_64.so.1`)).toBe(false)
  expect(await program('')).toBe(false)
})
