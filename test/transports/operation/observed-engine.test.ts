import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CallEvent } from '../../../src/api/operation/operation-call.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { observedEngine } from '../../../src/transports/operation/observed-engine.ts'
import { aSession } from '../../contracts/rows.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const who = { caller: CALLERS.operator }
const options = StartOptions.parse({})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** An engine whose waits take `tookMs`, and what it was asked. */
function observed(
  settings: Partial<Parameters<typeof observedEngine>[1]> = {},
  { tookMs = 0, questions = [] as object[] } = {},
) {
  const events: CallEvent[] = []
  const asked: object[] = []
  const engine = {
    createSession: async (_: unknown, input: object) => {
      asked.push(input)
      return aSession({ lastSeq: 3 })
    },
    waitFor: async (_: unknown, input: object) => {
      asked.push(input)
      vi.advanceTimersByTime(tookMs)
      return [aSession({ lastSeq: 4 })]
    },
    pending: async () => questions,
  } as unknown as Engine
  return { ...observedEngine(engine, { onEvent: (event) => events.push(event), ...settings }), events, asked }
}

describe('a new session', () => {
  test('has begun something only if it has a prompt', async () => {
    const { engine, events } = observed()
    const seen = { type: 'session', sessionId: 's1', lastSeq: 3 }
    expect(await engine.createSession(who, { options })).toMatchObject({ id: 's1' })
    expect(events.splice(0)).toEqual([seen])
    await engine.createSession(who, { options, content: 'go' })
    expect(events).toEqual([{ type: 'begun', sessionId: 's1' }, seen])
  })

  test('has the time limit of the connection, unless the call sets its own', async () => {
    const limited = observed({ timeoutMs: 5_000 })
    await limited.engine.createSession(who, { options })
    await limited.engine.createSession(who, { options, timeoutMs: 0 })
    expect(limited.asked).toMatchObject([{ timeoutMs: 5_000 }, { timeoutMs: 0 }])
    const unlimited = observed()
    await unlimited.engine.createSession(who, { options })
    expect(unlimited.asked).toStrictEqual([{ options }])
  })
})

test('an answer has begun what comes next: a repeated call waits for it, and does not answer again', async () => {
  const events: CallEvent[] = []
  const answered = { answer: async () => ({ id: 'q', sessionId: 's1' }) } as unknown as Engine
  const { engine } = observedEngine(answered, { onEvent: (event) => events.push(event) })
  await engine.answer(who, { approvalId: 'q', approve: true })
  expect(events).toEqual([{ type: 'begun', sessionId: 's1' }])
})

describe('the waits of a call', () => {
  test('take no longer together than the first was to take', async () => {
    const { engine, asked, looked, hasWaited, events } = observed({}, { tookMs: 4_000 })
    expect(looked()).toMatchObject({ waits: false, leftMs: 0 })
    expect(hasWaited()).toBe(false)
    for (const seconds of [10, 10, 1, 10]) await engine.waitFor(who, { seconds })
    expect(asked).toEqual([{ seconds: 10 }, { seconds: 6 }, { seconds: 1 }, { seconds: 0 }])
    expect(looked()).toMatchObject({ waits: true, leftMs: 0 })
    expect(hasWaited()).toBe(true)
    expect(events).toHaveLength(4)
  })

  test('count what the caller has waited before', async () => {
    const { engine, asked, looked } = observed({ waitedMs: 7_000 }, { tookMs: 1_000 })
    await engine.waitFor(who, { seconds: 10, known: ['q1'] })
    expect(asked).toEqual([{ seconds: 3, known: ['q1'] }])
    expect(looked().leftMs).toBe(2_000)
  })

  test('take 50 seconds at most', async () => {
    const { engine, asked } = observed()
    await engine.waitFor(who, { seconds: 600 })
    expect(asked).toEqual([{ seconds: 50 }])
  })

  test('are none where a call only looks', async () => {
    const { engine, asked, looked, hasWaited } = observed({}, { tookMs: 5 })
    await engine.waitFor(who, { seconds: 0 })
    expect(asked).toEqual([{ seconds: 0 }])
    expect(looked()).toMatchObject({ waits: false, leftMs: 0 })
    expect(hasWaited()).toBe(false)
  })
})

const question = (id: string, openedAt: number) => ({ id, openedAt })

test('the questions that a call has seen are in order, the oldest first, each once', async () => {
  const questions = [question('b', 2), question('c', 3), question('a', 1)]
  const { engine, looked } = observed({}, { questions })
  await engine.pending(who, {})
  await engine.pending(who, {})
  expect(looked().asked.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
