import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffRows } from '../../dashboard/src/diff/diff-rows.ts'

const numbers = (lines: string[]) => diffRows(lines, true).map(({ number }) => number)
const changed = (lines: string[]) =>
  diffRows(lines, false).map(({ parts }) =>
    parts.filter(({ isChanged }) => isChanged).map(({ text }) => text),
  )

test('removed lines count in the file before, all others in the file after, across several places', () => {
  expect(numbers(['  a', '+ b', '  c', '@ line 10', '  x', '- y', '+ Y', '  z'])).toEqual([
    1,
    2,
    3,
    undefined,
    11,
    11,
    12,
    13,
  ])
  expect(numbers(['+ a', '+ (no newline at the end of the file)'])).toEqual([1, undefined])
  expect(diffRows(['- a', '+ b'], false).map(({ number }) => number)).toEqual([undefined, undefined])
})

test('the words that differ from the replaced line are marked, each of several', () => {
  expect(changed(['- const a = one(b) + 1', '+ const A = one(b) + 2'])).toEqual([
    ['a', '1'],
    ['A', '2'],
  ])
  expect(changed(['- one(b)', '+ one(b).catch()'])).toEqual([[], ['.catch()']])
  expect(changed(['- old line', '+ something else entirely', '+ more'])).toEqual([[], [], []])
  expect(changed(['  same', '+ added'])).toEqual([[], []])
})

test('joined again, the parts of each line are the line', () => {
  const line = fc.tuple(fc.constantFrom('+', '-', ' '), fc.string({ unit: 'grapheme', maxLength: 30 }))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const rows = diffRows(
        lines.map(([mark, text]) => `${mark} ${text}`),
        true,
      )
      expect(rows.map(({ mark, parts }) => [mark, parts.map(({ text }) => text).join('')])).toEqual(lines)
    }),
  )
})
