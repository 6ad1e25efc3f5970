import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { realDirectory } from '../../../src/child/launch/working-directory.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'plexus-folder-')))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'real'))
writeFileSync(join(root, 'file'), '')
symlinkSync(join(root, 'real'), join(root, 'link'))
symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))

it('S13: a link to a folder becomes the folder itself', () => {
  expect(realDirectory(join(root, 'link'))).toBe(join(root, 'real'))
  expect(realDirectory(`${root}/real/../link/`)).toBe(join(root, 'real'))
})

it('S13: a relative path becomes absolute', () => {
  expect(realDirectory(relative(process.cwd(), join(root, 'real')))).toBe(join(root, 'real'))
})

it.each(['missing', 'file', 'dangling', 'file/below', 'a\0b'])('S13: %j is refused', (name) => {
  expect(() => realDirectory(join(root, name))).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})

it('S13: no path at all is refused', () => {
  expect(() => realDirectory('')).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})
