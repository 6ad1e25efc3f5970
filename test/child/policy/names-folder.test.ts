import { describe, expect, test } from 'vitest'
import { namesFolder } from '../../../src/child/policy/names-folder.ts'
import type { FileLookup } from '../../../src/shell/path-bounds.ts'

const HOME = '/home/ann/.plexus'
/** Links of the project: to a deep folder, to the home folder of Plexus, and to nothing. */
const LINKS: Readonly<Record<string, string | undefined>> = {
  '/code/app/bin': '/code/app/packages/tools/bin',
  '/code/app/notes': HOME,
  '/code/app/dangling': undefined,
}
const files: FileLookup = {
  realPath: (path) => (path in LINKS ? LINKS[path] : path),
  hasEntry: (path) => path in LINKS,
  names: () => [],
  text: () => undefined,
  hasBytes: () => undefined,
}
const place = { files, bounds: { folders: ['/code/app'], except: [HOME] }, cwd: '/code/app', trusted: false }
const reaches = (input: unknown) => namesFolder(input, HOME, place)

/** Longer than any path that the kernel takes. */
const LONG = 'x/../'.repeat(1_000)

describe('S15: an input leads to the home folder', () => {
  test.each<[string, unknown]>([
    ['by its path', { path: '/home/ann/.plexus/operator.token' }],
    ['in the middle of a text', { command: 'cat /home/ann/.plexus/operator.token' }],
    ['as the name of a field', { '/home/ann/.plexus': true }],
    ['as a text alone', '/home/ann/./.plexus'],
    ['at any depth', { paths: ['README.md', { deep: ['..', '../../home'] }] }],
    ['by way of another folder', { path: '/code/app/../../home/ann/./.plexus' }],
    ['by a folder around it', { root: '/' }],
    ['by the home folder of somebody', { path: '~/x' }],
    ['between spaces', { path: '  /home/ann/./.plexus \n' }],
    ['by a link', { path: 'notes' }],
    ['by a link whose target is not there yet', { path: 'dangling/x' }],
    ['where `..` is applied before a link is followed', { path: 'bin/../../../home/ann/./.plexus' }],
    ['where `..` is applied after a link was followed', { path: 'bin/../../../../../home/ann/./.plexus' }],
    ['where `..` shortens what is too long', { path: `${LONG}../../home/ann/./.plexus` }],
    ['where dots and slashes lengthen it', { path: `/${'./'.repeat(3_000)}home//ann/.plexus` }],
    ['where `..` takes a line end away', { path: '/x\n/../home/ann/./.plexus' }],
  ])('%s', (_, input) => expect(reaches(input)).toBe(true))

  test.each([
    'file:///home/ann',
    'file:/home/ann',
    'FILE://localhost/home/ann',
    'file://another-machine/home/ann',
    ' file:///home/ann ',
    'fi\nle:///home/ann',
    'file:///home/ann/%2Eplexus/operator.token',
    'file:///home/ann/%2eplexus/operator.token?x#y',
    'file:///code/app/%2e%2e/%2e%2e/home/ann',
    'file:///code/app/..%2f..%2fhome/ann',
    'file:///code/app/bin/../../../../home/ann',
    'file:///code/app/bin/../../../../../home/ann',
    ' file:///code/app/bin/../../../../../home/ann',
    'file://another-machine/code/app/bin/../../../../../home/ann',
    'file:notes',
    'file:///%ff',
  ])('by the address %j', (uri) => expect(reaches({ uri })).toBe(true))
})

test('links are followed wherever they are named', () => {
  const through = ['notes', 'notes/operator.token', 'src/../notes/x', 'noted', 'src/notes']
  expect(through.map(reaches)).toEqual([true, true, true, false, false])
})

describe('an input does not', () => {
  test.each<[string, unknown]>([
    ['without a text', {}],
    ['by a number, a yes or nothing', { at: 5, all: true, none: null, some: [1, false] }],
    ['by the name of a file', { path: 'src/main.ts' }],
    ['by a path of the project', { path: '/code/app/a', other: 'bin/../x' }],
    ['by an ordinary text', { query: 'how to /join', text: 'Well...', file: 'a~', empty: '' }],
    ['by names with dots', { path: '.hidden', other: '...', here: '.', above: '..' }],
    ['by a folder beside it', { path: '/home/ann/other', other: '/home/ann/.plexu' }],
    ['by an address of a file of the project', { uri: 'file:///code/app/a%20b' }],
    ['by an address of something else', { uri: 'https://example.com/home/ann' }],
    ['by a text that has an address in it', { text: 'see file:///home/ann' }],
    ['by a text of several lines', { text: '/home\nx', other: '/\n/home' }],
    ['by a text that no path can have', { text: '/home\0' }],
    ['by a text that is too long for a path', { text: `/home/${'a/'.repeat(5_000)}` }],
    ['by a text of several lines that begins with ~', { text: '~ is the home folder\nof somebody' }],
  ])('%s', (_, input) => expect(reaches(input)).toBe(false))
})

const isNamed = (length: number) => reaches(`~${'a'.repeat(length - 1)}`)

test('a text is taken for a path up to the length that the kernel takes', () => {
  expect([isNamed(4_096), isNamed(4_097)]).toEqual([true, false])
})

const parts = (count: number) => [
  Array(1_998).fill('a').join('/'),
  Array(count - 2_000)
    .fill('b')
    .join('/'),
]

const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [key, 1]))

describe('nobody can say where an input leads', () => {
  test('that has more than 2000 texts', () => {
    expect([reaches(texts(2_000)), reaches(texts(2_001))]).toEqual([false, true])
  })

  test('whose paths have more than 4000 parts together, and then the disk is not looked at', () => {
    const looked: string[] = []
    const counting = { ...files, hasEntry: (path: string) => looked.push(path) > 0 }
    const named = (count: number) => namesFolder(parts(count), HOME, { ...place, files: counting })
    expect(named(4_001)).toBe(true)
    expect(looked).toEqual([])
    expect(named(4_000)).toBe(false)
    expect(looked.length).toBeGreaterThan(0)
  })
})
