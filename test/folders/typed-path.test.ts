import { array, assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder, isOffered, typedPath } from '../../src/folders/typed-path.ts'

test.each([
  ['/', '/', ''],
  ['/ho', '/', 'ho'],
  ['/home/', '/home', ''],
  ['/home/../etc/pa', '/etc', 'pa'],
  ['/home/..', '/home', '..'],
  ['//x/y', '/x', 'y'],
  ['~', '/home/me', ''],
  ['~/', '/home/me', ''],
  ['~/../o', '/home', 'o'],
])('%j lists %j for names that begin with %j', (text, folder, beginning) => {
  expect(typedPath(text, '/home/me')).toEqual({ folder, beginning })
})

test('without a home folder ~ is no path', () => {
  expect(typedPath('~/x', undefined)).toBeUndefined()
  expect(typedPath('/x', undefined)).toEqual({ folder: '/', beginning: 'x' })
})

test('whatever is typed, the folder is absolute and has no way up in it, and the beginning has no slash', () => {
  const typed = array(constantFrom('/', '.', '..', '~', 'a', 'B', ' ', '\u202E', '//'), { maxLength: 12 })
  assert(
    property(typed, (parts) => {
      const found = typedPath(parts.join(''), '/home/me')
      if (!found) return
      expect(found.folder).toMatch(/^\//)
      expect(found.folder.split('/')).not.toContain('..')
      expect(found.beginning).not.toContain('/')
    }),
  )
})

test('what is offered begins as typed in any case, and is hidden only if a dot was typed', () => {
  assert(
    property(string(), string(), (name, beginning) => {
      if (!isOffered(name, beginning)) return
      expect(name.toLowerCase().startsWith(beginning.toLowerCase())).toBe(true)
      expect(name.startsWith('.') && !beginning.startsWith('.')).toBe(false)
    }),
  )
  expect(isOffered('a\uFFFD', 'a')).toBe(false)
  expect(inOrder(['az', 'Ab', 'ay', 'AX'], 'a')).toEqual(['ay', 'az', 'Ab', 'AX'])
})
