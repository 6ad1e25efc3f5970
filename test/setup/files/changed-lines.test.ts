import { expect, test } from 'vitest'
import { changedLines } from '../../../src/setup/files/changed-lines.ts'

const shown = (before: string, after: string) =>
  changedLines(before, after).map(({ sign, text }) => `${sign}${text}`)

test('what was added and removed is shown with two lines around it', () => {
  expect(shown('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\nnew\n5\n6\n7\n')).toEqual([
    ' 2',
    ' 3',
    '-4',
    '+new',
    ' 5',
    ' 6',
  ])
})

test('a new file is all new, a removed one all gone, and the same text is nothing', () => {
  expect(shown('', 'a\nb\n')).toEqual(['+a', '+b'])
  expect(shown('a\nb\n', '')).toEqual(['-a', '-b'])
  expect(shown('a\n', 'a\n').filter((line) => !line.startsWith(' '))).toEqual([])
})

test('a line that is repeated is counted once', () => {
  expect(shown('a\na\n', 'a\na\na\n').filter((line) => line.startsWith('+'))).toEqual(['+a'])
})

test('of a file in one long line the part that differs is shown, and not what else is in it', () => {
  const [long, end] = ['secret'.repeat(100), '}'.repeat(300)]
  expect(shown(long + end, `${long}new${end}`)).toEqual([
    `-…${long.slice(-20)}${end.slice(0, 20)}…`,
    `+…${long.slice(-20)}new${end.slice(0, 20)}…`,
  ])
})
