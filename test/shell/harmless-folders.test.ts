import { expect, test } from 'vitest'
import { editsInPlace } from '../../src/shell/edits-in-place.ts'
import { isHarmless } from '../../src/shell/harmless.ts'
import { paperDisk } from '../rig/tools/paper-disk.ts'

const files = paperDisk({
  '/code/a.txt': '',
  '/code/src/c.ts': '',
  '/code/my-folder/x': '',
  '/code/a-/x': '',
  '/code/-/x': '',
  '/code/-P/x': '',
  '/code/+1/x': '',
  '/code/home/token': '',
  '/other/secret': '',
})
const place = { files, cwd: '/code', bounds: { folders: ['/code'], except: ['/code/home'] }, trusted: false }

test.each([
  'cd src/.. && cat a.txt',
  'cd ./src/ && cat c.ts',
  'cd /code//src && cat c.ts',
  'cd a- && ls',
  'find my-folder',
  "find . -path '/etc/*'",
  "find -path '/etc/*'",
  "sed -n '10,20p;30,40p;50q' a.txt",
])('%s is harmless', (line) => {
  expect(isHarmless(line, place)).toBe(true)
})

test.each([
  'cd /other',
  'cd home',
  'cd a.txt',
  'cd nothing',
  // The folder before, and an option, whatever folders there are.
  'cd - && ls',
  'cd +1 && ls',
  'cd -P && ls',
  'command',
  'find my-folder -exec ls',
])('%s is not known to be', (line) => {
  expect(isHarmless(line, place)).toBe(false)
})

test('a single dash is what was piped in, even where a file has that name', () => {
  const linked = paperDisk({ '/code/-': { link: '/other/secret' }, '/other/secret': '' })
  expect(isHarmless('ls | cat -', { ...place, files: linked })).toBe(true)
  expect(isHarmless('ls | cat ./-', { ...place, files: linked })).toBe(false)
})

test('guarded are names below the folder of the session, not its own name', () => {
  const root = '/home/ann/.claude/project'
  const disk = paperDisk({ [`${root}/a.txt`]: '', '/also/b.txt': '' })
  const there = { files: disk, cwd: root, bounds: { folders: ['/also', root], except: [] }, trusted: false }
  expect(editsInPlace('touch a.txt', there)).toBe(true)
  expect(editsInPlace('touch /also/b.txt', there)).toBe(true)
  expect(editsInPlace('touch .claude/a.txt', there)).toBe(false)
  expect(editsInPlace("sed -i '1s/a/b/' a.txt", there)).toBe(false)
})
