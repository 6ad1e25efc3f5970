import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROCESS_BEGAN } from '../../../src/base/clock.ts'
import {
  NO_SPENDING,
  spendingAfterRun,
  spentRow,
  withMessage,
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
