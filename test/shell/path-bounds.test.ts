import { resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInBounds, isWithin, resolvePath, wordInBounds } from '../../src/shell/path-bounds.ts'
import { paperDisk } from '../rig/tools/paper-disk.ts'

const files = paperDisk({
  '/code/a.txt': '',
  '/code/src/c.ts': '',
  '/code/linked': { link: '/other/deep' },
  '/code/dangling': { link: '/other/nothing' },
  '/code/sets/c.txt': { link: '/other/secret' },
  '/code/options/-rf': '',
  '/code/options/a-': '',
  '/code/dashes/a-': '',
  '/other/deep/x': '',
  '/other/secret': '',
})

test.each<[string, string | undefined]>([
  ['a.txt', '/code/a.txt'],
  ['./src//c.ts', '/code/src/c.ts'],
  ['src/../a.txt', '/code/a.txt'],
  ['', '/code'],
  ['..', '/'],
  ['../../..', '/'],
  ['/other/secret', '/other/secret'],
  ['new/file', '/code/new/file'],
  ['new/../a.txt', '/code/a.txt'],
  ['linked', '/other/deep'],
  ['linked/x', '/other/deep/x'],
  ['linked/../secret', '/other/secret'],
  ['dangling', undefined],
  ['dangling/x', undefined],
])('the path %j leads to %s', (path, end) => {
  expect(resolvePath(files, '/code', path)).toBe(end)
})

test('without links a path leads where Node says, from whatever folder', () => {
  const nothing = paperDisk({})
  const path = fc.array(fc.constantFrom('/', '//', '.', '..', 'a', '.b', '...', 'c d'), { maxLength: 8 })
  fc.assert(
    fc.property(path, path, (folder, rest) => {
      const [cwd, word] = [`/${folder.join('')}`, rest.join('')]
      expect(resolvePath(nothing, cwd, word)).toBe(resolve(cwd, word))
    }),
  )
})

test('a folder holds what lies below it, not what only begins with its name', () => {
  const paths = ['/code', '/code/a', '/code-secret/a', '/', '/cod']
  expect(paths.map((path) => isWithin(path, '/code'))).toEqual([true, true, false, false, false])
  expect(paths.map((path) => isWithin(path, '/'))).toEqual([true, true, true, true, true])
})

test('in bounds is what lies in one of the folders and in none of the exceptions', () => {
  const bounds = { folders: ['/code', '/also'], except: ['/code/home', '/code/other'] }
  const paths = ['/code/a', '/also/a', '/code/home', '/code/other/a', '/else', undefined]
  expect(paths.map((path) => isInBounds(bounds, path))).toEqual([true, true, false, false, false, false])
})

const bounds = { folders: ['/code'], except: [] }
const inBounds = (text: string, cwd = '/code', disk = files) =>
  wordInBounds(disk, bounds, cwd, { text, pattern: /[*?[]/.test(text) })

const many = (count: number) =>
  paperDisk(Object.fromEntries(Array.from({ length: count }, (_, at) => [`/code/${at}.txt`, ''])))

describe('a word that the shell may replace by names of files', () => {
  test.each<[string, boolean]>([
    ['a.txt', true],
    ['/other/secret', false],
    ['*.txt', true],
    ['?.txt', true],
    ['/code/*.txt', true],
    ['src/*.ts', true],
    ['src/****', true],
    ['l*', false],
    ['d*', false],
    ['../*', false],
    ['a.txt/*', false],
    ['new/*', false],
    ['dangling/*', false],
    // A set of characters counts as any name: here the third file, a link, is outside.
    ['sets/[ab].txt', false],
    ['src/*a*b*', true],
    ['src/*a*b*c*', false],
  ])('%s is in bounds: %s', (text, expected) => {
    expect(inBounds(text)).toBe(expected)
  })

  test('must not become an option', () => {
    expect(inBounds('*', '/code/options')).toBe(false)
    expect(inBounds('./*', '/code/options')).toBe(true)
    expect(inBounds('*', '/code/dashes')).toBe(true)
  })

  test('is out of bounds where it could be too many', () => {
    expect(inBounds('*.txt', '/code', many(2_000))).toBe(true)
    expect(inBounds('*.txt', '/code', many(2_001))).toBe(false)
  })

  test('needs no list of the folders that it names itself', () => {
    const names = (folder: string) => (folder === '/code' ? undefined : files.names(folder))
    expect(inBounds('src/*.ts', '/code', { ...files, names })).toBe(true)
    expect(inBounds('*/c.ts', '/code', { ...files, names })).toBe(false)
  })
})
