import { expect, test } from 'vitest'
import { logLines } from '../../../src/command-line/views/log-lines.ts'
import { LogMemory } from '../../../src/command-line/views/log-memory.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'

const cost = (total: number): SessionEvent => ({
  type: 'cost.reported',
  total,
  inputTokens: 1,
  outputTokens: 1,
})

test('the cost so far is that of the session and never falls, though each process counts from 0', () => {
  const memory = new LogMemory()
  const lines = [cost(0.5), cost(0.75), cost(0.25), cost(0.5)].flatMap((event) =>
    logLines({ event }, undefined, memory),
  )
  expect(lines).toEqual([0.5, 0.75, 1, 1.25].map((usd) => `  cost so far $${usd.toFixed(2)}`))
})
