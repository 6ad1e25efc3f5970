import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibleText } from '../../src/text/visible-text.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const HIDDEN = /\p{C}|\p{Default_Ignorable_Code_Point}/u

test.each([
  ['an escape sequence', '\u001b[2Jx', '\\u{1b}[2Jx'],
  ['a turn of direction', 'a\u202eb\u2066c\u200f', 'a\\u{202e}b\\u{2066}c\\u{200f}'],
  ['what has no width', 'r\u200bm\u2060\ufeff', 'r\\u{200b}m\\u{2060}\\u{feff}'],
  ['tags', '\u{e0041}\u{e007f}', '\\u{e0041}\\u{e007f}'],
  ['a return that would overwrite', 'safe\rrm', 'safe\\rrm'],
  ['tabs and other controls', '\t\b\u0007\u0085', '\\t\\u{8}\\u{7}\\u{85}'],
  ['spaces that are none', 'a\u00a0b\u3000c\u2028d', 'a\\u{a0}b\\u{3000}c\\u{2028}d'],
  ['fillers', '\u3164\u115f\u2800', '\\u{3164}\\u{115f}\\u{2800}'],
  ['half a character', '\ud800x', '\\u{d800}x'],
])('S10: %s is shown as escapes', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('S10: words in any script, pictures and lines are left as they are', () => {
  const text = 'ls -la\n\nüñß 你好 مرحبا नमस्ते 🙂 "quoted" \\n'
  expect(visibleText(text)).toBe(text)
})

test('S10: whatever the text, the result has no invisible characters, and escaping it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const shown = visibleText(text)
      expect(HIDDEN.test(shown.replaceAll('\n', ''))).toBe(false)
      expect(visibleText(shown)).toBe(shown)
    }),
  )
})
