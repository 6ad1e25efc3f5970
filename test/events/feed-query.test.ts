import { expect, test } from 'vitest'
import { feedQuery } from '../../src/events/feed-query.ts'

test('the query of the feed says only what was asked for', () => {
  expect(feedQuery({})).toBe('')
  expect(feedQuery({ questions: false })).toBe('')
  expect(feedQuery({ after: 0 })).toBe('?after=0')
  expect(feedQuery({ questions: true })).toBe('?questions=1')
  expect(feedQuery({ after: 7, questions: true })).toBe('?after=7&questions=1')
})
