import { expect, test } from 'vitest'
import { rateLimited } from '../../src/async/rate-limit.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'

test('S34: lines of one kind are limited per minute, and then the number of omitted lines is logged', () => {
  const clock = new FakeClock()
  const lines: unknown[] = []
  const log = rateLimited((message, fields) => lines.push([message, fields]), {
    maxLines: 2,
    windowMs: 1_000,
    clock,
  })
  for (let n = 1; n <= 5; n++) log('no', { n })
  expect(lines).toEqual([
    ['no', { n: 1 }],
    ['no', { n: 2 }],
  ])
  clock.advance(1_000)
  expect(lines.at(-1)).toEqual(['More of these were left out of the log.', { leftOut: 3 }])
  log('no', { n: 6 })
  clock.advance(1_000)
  expect(lines.slice(3)).toEqual([['no', { n: 6 }]])
})
