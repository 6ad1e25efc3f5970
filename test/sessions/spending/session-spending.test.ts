import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROCESS_BEGAN } from '../../../src/base/clock.ts'
import {
  NO_SPENDING,
  spendingAfterRun,
  spentRow,
  withMessage,
  withOutput,
  withTokenReport,
} from '../../../src/sessions/spending/session-spending.ts'

const block = (messageId: string, contextTokens: number, parent?: string) => ({
  type: 'text' as const,
  text: 't',
  messageId,
  contextTokens,
  ...(parent === undefined ? {} : { parent }),
})
const call = (messageId: string) => ({
  type: 'tool.used' as const,
  toolUseId: 't',
  toolName: 'Bash',
  input: {},
  messageId,
  contextTokens: 100,
})

test('each request counts once, however many blocks its message has', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 }), (blocks) => {
      const events = blocks.flatMap((count, index) =>
        Array.from({ length: count }, () => block(`m${index}`, 10)),
      )
      const { turnTokens } = events.reduce(withMessage, NO_SPENDING)
      expect(turnTokens).toBe(10 * blocks.length)
    }),
  )
})

test('the messages of a sub-agent between those of the main conversation count once each', () => {
  const events = [block('a', 10), block('s', 5, 'call'), block('a', 10), block('s', 5, 'call')]
  expect(events.reduce(withMessage, NO_SPENDING).turnTokens).toBe(15)
})

test('a call counts each time, also where its message was counted', () => {
  const events = [call('m'), call('m'), call('n')]
  expect(events.reduce(withMessage, NO_SPENDING)).toMatchObject({ toolCalls: 3, turnTokens: 200 })
})

test('a block without a message or a size counts nothing, a call in it does', () => {
  const nameless = { type: 'text' as const, text: 't', contextTokens: 10 }
  const sizeless = { type: 'text' as const, text: 't', messageId: 'm' }
  for (const event of [nameless, sizeless]) expect(withMessage(NO_SPENDING, event)).toBe(NO_SPENDING)
  const { contextTokens: _, ...called } = call('m')
  expect(withMessage(NO_SPENDING, called)).toEqual({ ...NO_SPENDING, toolCalls: 1 })
})

const wrote = (outputTokens: number, parent?: string) => ({
  type: 'message.ended' as const,
  outputTokens,
  ...(parent === undefined ? {} : { parent }),
})

describe('what a model has written', () => {
  const turn = withMessage(NO_SPENDING, block('m', 10))

  test('counts once, however often the CLI says how much it is so far', () => {
    const once = withOutput(turn, wrote(4))
    expect(once.turnTokens).toBe(14)
    expect(withOutput(once, wrote(4))).toBe(once)
    expect(withOutput(once, wrote(3))).toBe(once)
    expect(withOutput(once, wrote(9)).turnTokens).toBe(19)
  })

  test('counts anew with each message, and for each sub-agent by itself', () => {
    const next = withMessage(withOutput(turn, wrote(4)), block('n', 10))
    expect(withOutput(next, wrote(4)).turnTokens).toBe(28)
    const both = withOutput(withOutput(turn, wrote(4)), wrote(4, 'call'))
    expect(both.turnTokens).toBe(18)
    expect(withOutput(withMessage(both, block('n', 10)), wrote(4, 'call')).turnTokens).toBe(28)
    expect(withOutput(turn, wrote(4, 'constructor')).turnTokens).toBe(14)
  })

  test('is in the report of the process, and is forgotten then', () => {
    const reported = withTokenReport(withOutput(turn, wrote(4)), 20)
    expect(reported).toMatchObject({ tokens: 20, turnTokens: 0, written: {}, counted: {} })
    expect(withOutput(reported, wrote(4)).turnTokens).toBe(4)
  })
})

describe('the report of the process', () => {
  const counted = [call('m'), call('n')].reduce(withMessage, NO_SPENDING)

  test('replaces the count of the turn, because it also has what the model wrote', () => {
    expect(withTokenReport(counted, 230)).toMatchObject({ tokens: 230, turnTokens: 0, reported: 230 })
    const second = withTokenReport(withMessage(withTokenReport(counted, 230), call('o')), 345)
    expect(second).toMatchObject({ tokens: 345 })
  })

  test('that begins again at 0 in a new process adds to what there was', () => {
    const ended = spendingAfterRun(withTokenReport(counted, 230), false)
    expect(withTokenReport(withMessage(ended, call('o')), 110)).toMatchObject({ tokens: 340 })
  })

  test('that continues in a new process doubles nothing', () => {
    const ended = spendingAfterRun(withTokenReport(counted, 230), true)
    expect(withTokenReport(withMessage(ended, call('o')), 340)).toMatchObject({ tokens: 340 })
  })

  test('that is less than the last one is of a process that began at 0', () => {
    const reported = withTokenReport(counted, 230)
    expect(withTokenReport(reported, 50)).toMatchObject({ tokens: 280, reported: 50 })
    expect(withTokenReport(reported, 230)).toMatchObject({ tokens: 230, reported: 230 })
  })

  test('is left as it is by the end of a process that never reported', () => {
    expect(spendingAfterRun(counted, false)).toBe(counted)
    expect(spendingAfterRun(withTokenReport(counted, 230), false)).toMatchObject({ tokens: 230, reported: 0 })
  })

  test('that never came for a turn loses nothing of it', () => {
    const crashed = spendingAfterRun(counted, false)
    expect(withTokenReport(withMessage(crashed, call('o')), 110)).toMatchObject({ tokens: 300 })
    expect(withTokenReport(counted, undefined)).toMatchObject({ tokens: 200, turnTokens: 0 })
  })
})

describe('the row of a session', () => {
  const T = PROCESS_BEGAN
  const before = { status: 'idle', config: {} }
  const spending = { ...NO_SPENDING, tokens: 7, toolCalls: 2 }

  test('counts the time at work, and not the time that it waits', () => {
    const running = spentRow(before, spending, { status: 'running', inTurn: true, at: T + 1_000 })
    expect(running).toMatchObject({ workMs: 0, since: T + 1_000 })
    const asked = { ...before, status: 'running', spent: running }
    const waiting = spentRow(asked, spending, { status: 'waiting', inTurn: true, at: T + 3_000 })
    expect(waiting).toMatchObject({ workMs: 2_000 })
    expect(waiting).not.toHaveProperty('since')
    const answered = { ...before, status: 'waiting', spent: waiting }
    const again = spentRow(answered, spending, { status: 'running', inTurn: true, at: T + 90_000 })
    const done = spentRow({ ...before, status: 'running', spent: again }, spending, {
      status: 'done',
      inTurn: false,
      at: T + 91_000,
    })
    expect(done).toMatchObject({ workMs: 3_000 })
  })

  test('is not earlier because a clock was set back', () => {
    const spent = { tokens: 7, turnTokens: 0, toolCalls: 2, workMs: 500, since: T + 9_000 }
    const running = { ...before, status: 'running', spent }
    expect(spentRow(running, spending, { status: 'done', inTurn: false, at: T + 1_000 })?.workMs).toBe(500)
  })

  test('notes the time at work every ten seconds, and not each time', () => {
    const spent = { tokens: 7, turnTokens: 0, toolCalls: 2, workMs: 500, since: T + 1_000 }
    const running = { ...before, status: 'running', spent }
    const at = (ms: number) => spentRow(running, spending, { status: 'running', inTurn: true, at: T + ms })
    expect(at(10_999)).toBe(spent)
    expect(at(11_000)).toEqual({ ...spent, workMs: 10_500, since: T + 11_000 })
  })

  test('is another as soon as one of its numbers is', () => {
    const spent = { tokens: 7, turnTokens: 1, toolCalls: 2, workMs: 500 }
    const idle = { ...before, spent }
    const row = (change: object) =>
      spentRow(idle, { ...NO_SPENDING, ...spent, ...change }, { status: 'idle', inTurn: false, at: T + 5 })
    expect(row({})).toBe(spent)
    for (const field of ['tokens', 'turnTokens', 'toolCalls'])
      expect(row({ [field]: 99 })).toEqual({ ...spent, [field]: 99 })
    const worked = { ...idle, status: 'running', spent: { ...spent, since: T + 1 } }
    expect(
      spentRow(worked, { ...NO_SPENDING, ...spent }, { status: 'idle', inTurn: false, at: T + 5 }),
    ).toEqual({
      ...spent,
      workMs: 504,
    })
  })

  test('of a session that was not at work counts no time before', () => {
    const spent = { tokens: 7, turnTokens: 0, toolCalls: 2, workMs: 500, since: T + 1_000 }
    const was = (status: string, fields: object) =>
      spentRow({ ...before, status, spent: { ...spent, ...fields } }, spending, {
        status: 'done',
        inTurn: false,
        at: T + 9_000,
      })?.workMs
    expect([was('idle', {}), was('running', { since: undefined }), was('running', {})]).toEqual([
      500, 500, 8_500,
    ])
  })

  test('is written with each message only where a budget may need it', () => {
    const spent = { tokens: 0, turnTokens: 0, toolCalls: 0, workMs: 0, since: T + 1 }
    const running = { ...before, status: 'running', spent }
    const moment = { status: 'running', inTurn: true, at: T + 5 }
    expect(spentRow(running, spending, moment)).toBe(spent)
    expect(spentRow({ ...running, parentId: 'p' }, spending, moment)).toMatchObject({ tokens: 7 })
    expect(spentRow({ ...running, config: { budget: { usd: 1 } } }, spending, moment)).toMatchObject({
      toolCalls: 2,
    })
  })
})
