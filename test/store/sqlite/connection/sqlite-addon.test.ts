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

/** The least of an ELF file that names a loader, which need not be near its beginning. */
function programWith(loader: string): Buffer {
  const [table, name] = [5_000, 9_000]
  const file = Buffer.alloc(name + loader.length)
  file.write('\x7fELF', 0, 'latin1')
  file.writeBigUInt64LE(BigInt(table), 32)
  file.writeUInt16LE(56, 54)
  file.writeUInt16LE(2, 56)
  file.writeUInt32LE(1, table)
  file.writeUInt32LE(3, table + 56)
  file.writeBigUInt64LE(BigInt(name), table + 56 + 8)
  file.writeBigUInt64LE(BigInt(loader.length), table + 56 + 32)
  file.write(loader, name)
  return file
}

test('a program is linked against musl if the loader that it names is that of musl', async () => {
  const path = join(await temporaryFolder(), 'program')
  const isOf = async (content: Buffer | string) => {
    await writeFile(path, content)
    return isMusl(path)
  }
  expect(await isOf(programWith('/lib/ld-musl-x86_64.so.1'))).toBe(true)
  expect(await isOf(programWith('/lib64/ld-linux-x86-64.so.2'))).toBe(false)
  expect(await isOf('#!/bin/sh /lib/ld-musl-x86_64.so.1')).toBe(false)
  expect(await isOf('')).toBe(false)
})
