import { expect, test } from 'vitest'
import { rateLimited } from '../../src/base/rate-limit.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'

test('S34: the same is said only so often, and then how often it was left out', () => {
  const clock = new FakeClock()
  const said: unknown[] = []
  const say = rateLimited((message, fields) => said.push([message, fields]), {
    maxLines: 2,
    windowMs: 1_000,
    clock,
  })
  for (let n = 1; n <= 5; n++) say('no', { n })
  expect(said).toEqual([
    ['no', { n: 1 }],
    ['no', { n: 2 }],
  ])
  clock.advance(1_000)
  expect(said.at(-1)).toEqual(['More of these were left out of the log.', { leftOut: 3 }])
  say('no', { n: 6 })
  clock.advance(1_000)
  expect(said.slice(3)).toEqual([['no', { n: 6 }]])
})
