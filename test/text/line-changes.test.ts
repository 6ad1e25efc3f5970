import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { lineChanges } from '../../src/text/line-changes.ts'

const text = (before: string, after: string) =>
  lineChanges(before.split(''), after.split(''))
    .map(({ mark, text: line }) => mark + line)
    .join('')

test.each([
  ['abc', 'abc', ' a b c'],
  ['abc', 'axc', ' a-b+x c'],
  ['ac', 'abc', ' a+b c'],
  ['abc', 'ac', ' a-b c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['aaaa', 'aa', ' a a-a-a'],
  ['abcd', 'bxd', '-a b-c+x d'],
])('%s to %s', (before, after, expected) => {
  expect(text(before, after)).toBe(expected)
})

test('what stays and is removed is the old text, what stays and is added the new one', () => {
  const lines = array(constantFrom('a', 'b', 'c'), { maxLength: 30 })
  assert(
    property(lines, lines, (before, after) => {
      const changes = lineChanges(before, after)
      const without = (mark: string) => changes.filter((line) => line.mark !== mark).map((line) => line.text)
      expect(without('+')).toEqual(before)
      expect(without('-')).toEqual(after)
    }),
  )
})

const many = (letter: string) => Array.from({ length: 2_000 }, (_, at) => `${letter}${at}`)

test('texts that have nothing in common and are very long are removed and added whole', () => {
  const changes = lineChanges(many('a'), many('b'))
  expect(changes.map(({ mark }) => mark).join('')).toBe('-'.repeat(2_000) + '+'.repeat(2_000))
})
