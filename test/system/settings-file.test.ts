import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copySettings, readSettings, writeSettings } from '../../src/system/files/settings-file.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('a file is replaced whole, keeps its mode, and nothing else is left beside it', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.json')
  await writeFile(path, 'old')
  await chmod(path, 0o640)
  writeSettings(path, 'old', 'new')
  expect([readSettings(path), await modeOf(path), await readdir(folder)]).toEqual(['new', 0o640, ['a.json']])
  copySettings(path, 'old', join(folder, 'copy'))
  expect([await readFile(join(folder, 'copy'), 'utf8'), await modeOf(join(folder, 'copy'))]).toEqual([
    'old',
    0o640,
  ])
})

test('a link is written through: the link stays, and its file has the text', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'dotfiles'))
  await writeFile(join(folder, 'dotfiles/a.json'), 'old')
  await symlink('dotfiles/a.json', join(folder, 'a.json'))
  writeSettings(join(folder, 'a.json'), 'old', 'new')
  expect(await readFile(join(folder, 'dotfiles/a.json'), 'utf8')).toBe('new')
  expect(await readdir(folder)).toEqual(['a.json', 'dotfiles'])
})

test('a new file is its user’s alone, and its folder is made', async () => {
  const path = join(await temporaryFolder(), 'new/folder/a.json')
  writeSettings(path, undefined, 'text')
  expect([readSettings(path), await modeOf(path)]).toEqual(['text', 0o600])
  writeSettings(path, 'text', undefined)
  expect(readSettings(path)).toBeUndefined()
})

test('a file that is no longer what was shown is not written', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.json')
  await writeFile(path, 'theirs')
  expect(() => writeSettings(path, 'shown', 'ours')).toThrow('has changed meanwhile')
  expect(() => writeSettings(path, undefined, 'ours')).toThrow('has changed meanwhile')
  expect(() => writeSettings(join(folder, 'gone'), 'shown', 'ours')).toThrow('has changed meanwhile')
  expect([readSettings(path), await readdir(folder)]).toEqual(['theirs', ['a.json']])
})

test('bytes that are not UTF-8, a folder, and a link to nowhere are refused; a mark at the beginning stays', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.json')
  await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]))
  expect(() => readSettings(path)).toThrow('is not UTF-8 text')
  expect(() => readSettings(folder)).toThrow('cannot be read')
  await symlink('nowhere', join(folder, 'link'))
  expect(() => readSettings(join(folder, 'link'))).toThrow('is a link that leads nowhere')
  await writeFile(path, '\uFEFF{}')
  expect(readSettings(path)).toBe('\uFEFF{}')
})
