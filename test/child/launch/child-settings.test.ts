import { expect, it } from 'vitest'
import { childSettings } from '../../../src/child/launch/child-settings.ts'

it.each(['/home/ann/.local/state/plexus', "/Users/Ann O'Hara/Library (x)/plexus", '/home/jürgen/plexus'])(
  'a child may neither read nor change what lies in %s',
  (home) => {
    expect(childSettings(home)).toMatchObject({
      permissions: {
        deny: expect.arrayContaining([`Read(/${home}/**)`, `Edit(/${home}/**)`]) as unknown,
      },
      useAutoModeDuringPlan: false,
    })
  },
)

it('no memory file imports from the home, whose brackets would mean something in that pattern', () => {
  expect(childSettings("/Users/Ann O'Hara/Library (x)/plexus")).toMatchObject({
    claudeMdExcludes: ['/Users/Ann O?Hara/Library ?x?/plexus/**'],
  })
})

it('a slash at the end changes nothing', () => {
  expect(childSettings('/a/plexus/')).toEqual(childSettings('/a/plexus'))
})

it.each([
  '/a*',
  '/a?',
  '/a[b]',
  '/a{b}',
  '/a\\b',
  '/a$b',
  '/a ',
  '/ a/b',
  '/a/\tb',
  '/a\nb',
  '/a"b',
  'relative',
  '',
  '/',
  '/a/../b',
])('a home that the rules could not guard is refused: %j', (home) => {
  expect(() => childSettings(home)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})
