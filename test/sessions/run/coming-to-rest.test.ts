import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { ComingToRest } from '../../../src/sessions/run/coming-to-rest.ts'
import { initialSessionState, type SessionState } from '../../../src/sessions/record/session-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lost: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }
const ended: SessionEvent = { type: 'turn.ended', outcome: 'failed' }
const started: SessionEvent = { type: 'turn.started', cliSessionId: 's' }
const idle = initialSessionState
const inTurn: SessionState = { ...idle, inTurn: true }
const withAgent: SessionState = { ...inTurn, agents: ['a'] }

function aChild() {
  const now = { state: inTurn, told: true, stuck: false }
  const rest = new ComingToRest(
    () => now.state,
    () => now.told,
    1_000,
  )
  void rest.stuck.then(() => (now.stuck = true))
  return { now, rest }
}

test('a child that goes on with its turn after a loss is stuck when its time is over', async () => {
  const { now, rest } = aChild()
  rest.take([lost])
  await vi.advanceTimersByTimeAsync(999)
  expect(now.stuck).toBe(false)
  rest.take([{ type: 'text', text: 'still here' }])
  await vi.advanceTimersByTimeAsync(1)
  expect(now.stuck).toBe(true)
})

test('one whose turn has ended is not, also when somebody else ended it', async () => {
  for (const told of [[ended], []]) {
    const { now, rest } = aChild()
    rest.take([lost])
    now.state = idle
    rest.take(told)
    now.state = inTurn // the next turn
    await vi.advanceTimersByTimeAsync(10_000)
    expect(now.stuck).toBe(false)
  }
})

test('one that loses something between its turns is not', async () => {
  const { now, rest } = aChild()
  now.state = idle
  rest.take([lost])
  now.state = inTurn
  rest.take([started])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(now.stuck).toBe(false)
})

test('one that has begun another turn is not, unless an agent of before is still there', async () => {
  for (const [state, stuck] of [
    [inTurn, false],
    [withAgent, true],
  ] as const) {
    const { now, rest } = aChild()
    now.state = state
    rest.take([lost, ended, started])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(now.stuck).toBe(stuck)
  }
})

test('its time begins when it was told to stop', async () => {
  const { now, rest } = aChild()
  now.told = false
  rest.take([lost])
  await vi.advanceTimersByTimeAsync(2_500)
  now.told = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(now.stuck).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(now.stuck).toBe(true)
})

test('one that is over is never stuck', async () => {
  const { now, rest } = aChild()
  rest.take([lost])
  rest.end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(now.stuck).toBe(false)
})
