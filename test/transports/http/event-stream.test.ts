import { expect, test } from 'vitest'
import { followInput } from '../../../src/transports/http/event-stream.ts'

const wrong = (query: string, lastEventId?: string) => {
  try {
    return followInput(new URLSearchParams(query), lastEventId)
  } catch (error) {
    return error
  }
}

const field = (name: string) => ({
  code: 'invalid_input',
  message: expect.stringMatching(new RegExp(`^${name} must be`)) as unknown,
  data: { field: name },
})

test('what is wrong with a request for events is said in its own words', () => {
  expect(wrong('sessionId=x')).toMatchObject(field('session'))
  expect(wrong('session=x&after=last')).toMatchObject(field('after'))
  expect(wrong('session=x&after=1', 'abc')).toMatchObject(field('Last-Event-ID'))
  expect(wrong('session=x&after=1', '7')).toEqual({ sessionId: 'x', after: 7 })
})
