import { expect, test } from 'vitest'
import { visibleJson } from '../../src/text/visible-json.ts'

test.each(['\u001B[2J', '\u009B', '\u202Eabc', '\u200B', '\u2028', '\u{E0041}', 'é 漢 🙂', '\uD800', 'a\nb'])(
  '%j means the same, and does nothing to a terminal',
  (text) => {
    const json = visibleJson({ [text]: [text] })
    expect(JSON.parse(json)).toEqual({ [text]: [text] })
    expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  },
)

test('what can be seen is printed as it is', () => {
  expect(visibleJson({ a: 'é 漢 🙂' })).toBe('{"a":"é 漢 🙂"}')
})
