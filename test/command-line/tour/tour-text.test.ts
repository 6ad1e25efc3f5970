import { array, assert, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { nextLines, openingLines, SEEN } from '../../../src/command-line/tour/tour-text.ts'
import { wordLines } from '../../../src/text/word-lines.ts'
import { resultOf, STEPS } from '../../../src/command-line/tour/tour-script.ts'

test('lines are broken between words, and none is longer than the terminal is wide unless a word is', () => {
  const words = array(
    string({ minLength: 1, maxLength: 12 }).filter((word) => !word.includes(' ')),
    {
      minLength: 1,
    },
  )
  assert(
    property(words, integer({ min: 1, max: 60 }), (given, columns) => {
      const lines = wordLines(given.join(' '), columns)
      expect(lines.join(' ')).toBe(given.join(' '))
      for (const line of lines) expect(line.length <= columns || !line.includes(' ')).toBe(true)
    }),
  )
})

test('every sentence of the tour fits a line of 80 columns', () => {
  const sentences = [
    ...openingLines('2.1.197', true),
    ...openingLines('2.1.197', false),
    ...SEEN,
    ...nextLines('plexus'),
    ...STEPS.flatMap(({ intro, allowed, denied }) => [...intro, allowed, denied]),
  ]
  expect(sentences.filter((sentence) => sentence.length > 78)).toEqual([])
})

test('what is said of a step is what happened: an answer and a file that contradict each other are named', () => {
  for (const step of STEPS) {
    const isThere = step.evidence !== undefined
    expect(resultOf(step, 'allowed', isThere)).toBe(step.allowed)
    expect(resultOf(step, 'denied', false)).toMatch(/^You denied it; /)
    expect(resultOf(step, 'expired', false)).toMatch(/^Nobody answered in time/)
    if (!isThere) continue
    expect(resultOf(step, 'allowed', false)).toMatch(/^It was allowed, but /)
    expect(resultOf(step, 'denied', true)).toMatch(/^It was not allowed, and .* was written all the same/)
  }
})
