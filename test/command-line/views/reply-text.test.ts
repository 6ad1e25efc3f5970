import { expect, test } from 'vitest'
import { replyOf } from '../../../src/command-line/views/reply-text.ts'

const ONE = { options: ['Postgres', 'SQLite', 'sqlite', 'My SQL'], multiSelect: false }
const SEVERAL = { ...ONE, multiSelect: true }

test.each([
  ['1', 'Postgres'],
  ['Postgres', 'Postgres'],
  ['postgres', 'Postgres'],
  [' POSTGRES ', 'Postgres'],
  ['my sql', 'My SQL'],
  ['sqlite', 'sqlite'],
  ['SQLite', 'SQLite'],
  // One of two is meant, and nobody knows which.
  ['SQLITE', 'SQLITE'],
  ['postgres please', 'postgres please'],
  ['9', '9'],
  ['', ''],
])('%j stands for %j', (text, reply) => {
  expect(replyOf(ONE, text)).toBe(reply)
})

test.each([
  ['1 2', 'Postgres, SQLite'],
  ['2,1,2', 'SQLite, Postgres'],
  ['postgres, my sql', 'Postgres, My SQL'],
  ['Postgres, 2', 'Postgres, SQLite'],
  ['postgres and more', 'postgres and more'],
])('where several may be chosen, %j stands for %j', (text, reply) => {
  expect(replyOf(SEVERAL, text)).toBe(reply)
})

test('without a question the text is the reply', () => {
  expect(replyOf(undefined, 'postgres')).toBe('postgres')
})
