import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { realDirectory } from '../../src/child/working-directory.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'plexus-folder-')))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'real'))
writeFileSync(join(root, 'file'), '')
symlinkSync(join(root, 'real'), join(root, 'link'))
symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))

it('S13: a link to a folder becomes the folder itself', async () => {
  expect(await realDirectory(join(root, 'link'))).toBe(join(root, 'real'))
  expect(await realDirectory(`${root}/real/../link/`)).toBe(join(root, 'real'))
})

it('S13: a relative path becomes absolute', async () => {
  expect(await realDirectory(relative(process.cwd(), join(root, 'real')))).toBe(join(root, 'real'))
})

it.each(['missing', 'file', 'dangling', 'file/below', 'a\0b'])('S13: %j is refused', async (name) => {
  await expect(realDirectory(join(root, name))).rejects.toMatchObject({ code: 'invalid_input' })
})

it('S13: no path at all is refused', async () => {
  await expect(realDirectory('')).rejects.toMatchObject({ code: 'invalid_input' })
})
