import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { answerOperation } from '../../../src/transports/routes/operation-route.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { resolvable } from '../../rig/clients/people.ts'
import { CHAT_INPUT, oneTurnEngine } from '../../rig/hubs/one-turn.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

const known = { sessions: [], questions: [] }
const LOOK = { tool: 'claude_status', arguments: { sessionId: CHILD, waitSeconds: 0 }, known }
const CHAT = { tool: 'claudecode_chat', arguments: CHAT_INPUT, known }

interface Setting {
  readonly engine?: Engine
  readonly caller?: Caller
  /** The reader takes nothing by itself. */
  readonly isSlow?: boolean
  readonly isGone?: boolean
}

async function send(
  call: object,
  { engine, caller = CALLERS.operator, isSlow = false, isGone }: Setting = {},
) {
  const response = new SlowResponse()
  response.full = isSlow
  const over = new AbortController()
  if (isGone) over.abort()
  const parts = {
    engine: engine ?? (await aFamily()).app.engine,
    onError: () => {},
    onRefused: () => {},
  }
  const who = { caller, signal: over.signal }
  const done = answerOperation(response.asResponse, parts, who, JSON.stringify(call))
  const lines = () =>
    response.written
      .join('')
      .split('\n')
      .map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)))
  return { response, over, done, lines }
}

test('the response has a line for what is known afterwards, and then the result as MCP has it', async () => {
  const { response, done, lines } = await send(LOOK)
  await done
  expect([response.status, response.ended]).toEqual([200, true])
  expect(response.headers).toMatchObject({ 'content-type': 'application/x-ndjson' })
  const [outcome, result, ...more] = lines()
  expect(outcome).toMatchObject({ type: 'outcome', memory: { working: [CHILD], asked: [QUESTION] } })
  expect(outcome).not.toHaveProperty('looked')
  expect(result).toMatchObject({ structuredContent: { sessionId: CHILD, status: 'awaiting_input' } })
  expect(more).toEqual([])
})

test('whoever observes has a line for each session that was read, and what was found', async () => {
  const { done, lines } = await send({ ...LOOK, observe: true })
  await done
  const all = lines()
  expect(all[0]).toEqual({ type: 'session', sessionId: CHILD, lastSeq: expect.any(Number) as unknown })
  expect(all.at(-2)).toMatchObject({ type: 'outcome', looked: { asked: [{ id: QUESTION }], waits: false } })
  expect(all.at(-1)).toHaveProperty('structuredContent')
})

test('what happens meanwhile is sent in order, before the result', async () => {
  const { response, done, lines } = await send(CHAT, { engine: oneTurnEngine() })
  await done
  expect(response.headers).toEqual({ 'content-type': 'application/x-ndjson' })
  expect(lines()).toMatchObject([
    { type: 'begun', sessionId: CHAT_INPUT.session_id, promptId: 'p1' },
    { type: 'text', text: 'Hi.' },
    { type: 'outcome' },
    { structuredContent: { result: 'Hi.' } },
  ])
})

test('the turn waits for a reader that is slow', async () => {
  const { response, done, lines } = await send(CHAT, { engine: oneTurnEngine(), isSlow: true })
  await setImmediate()
  expect(lines()).toMatchObject([{ type: 'begun' }, { type: 'text' }, ''])
  expect(response.ended).toBe(false)
  response.emit('drain')
  await done
  expect(response.ended).toBe(true)
})

describe('when the hub is about to end', () => {
  test('a call that has waited is cut off, so that the next hub is asked', async () => {
    const { response, over, done, lines } = await send(CHAT, { engine: oneTurnEngine(), isSlow: true })
    await setImmediate()
    over.abort()
    await done
    expect([response.destroyed, response.ended]).toEqual([true, false])
    expect(lines()).toMatchObject([{ type: 'begun' }, { type: 'text' }, ''])
  })

  test('a call that has not waited has its result, and no events', async () => {
    const { response, done, lines } = await send({ ...LOOK, observe: true }, { isGone: true })
    await done
    expect([response.destroyed, response.ended]).toEqual([false, true])
    expect(lines()).toMatchObject([{ type: 'outcome' }, { structuredContent: {} }])
  })
})

test('whoever waits gets an empty line every 15 seconds until the result is there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const before = resolvable<void>()
  const engine = oneTurnEngine()
  const startTurn: Engine['startTurn'] = async (who, input) => {
    await before.promise
    return engine.startTurn(who, input)
  }
  const { response, done, lines } = await send(CHAT, { engine: { ...engine, startTurn } })
  await vi.advanceTimersByTimeAsync(14_999)
  expect(response.headersSent).toBe(false)
  await vi.advanceTimersByTimeAsync(15_001)
  expect(response.status).toBe(200)
  before.resolve()
  await done
  expect(lines()).toMatchObject(['', '', { type: 'begun' }, { type: 'text' }, { type: 'outcome' }, {}])
  expect(vi.getTimerCount()).toBe(0)
})

test('a call that does not wait has no timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const tree = { tool: 'claudecode_tree', arguments: { session_id: CHAT_INPUT.session_id }, known }
  const { done } = await send(tree, { engine: oneTurnEngine() })
  expect(vi.getTimerCount()).toBe(0)
  await done
})

test('a call that is repeated names what it has begun', async () => {
  const again = { sessionId: CHAT_INPUT.session_id, promptId: 'p0' }
  const { done, lines } = await send({ ...CHAT, again }, { engine: oneTurnEngine() })
  await done
  expect(lines().at(-1)).toMatchObject({ structuredContent: { type: 'ok' } })
  expect(lines()).not.toContainEqual(expect.objectContaining({ type: 'begun' }))
})

test('a child that may only ask has no tools here', async () => {
  const { response, done } = await send(LOOK, { caller: { ...CALLERS.itself, scopes: [] } })
  await expect(done).rejects.toMatchObject({ code: 'forbidden' })
  expect(response.headersSent).toBe(false)
})
