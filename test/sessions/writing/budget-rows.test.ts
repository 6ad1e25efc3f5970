/** What the row of a session and its steps say of budgets, spending and processes outside. */
import { describe, expect, test } from 'vitest'
import { PROCESS_BEGAN } from '../../../src/base/clock.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState } from '../../../src/sessions/record/session-state.ts'
import type { Ledger } from '../../../src/sessions/writing/ledger.ts'
import { advance } from '../../../src/sessions/writing/step-from-events.ts'
import { aSession } from '../../contracts/rows.ts'
import { accepted, allow, opened, settled, turnEnded } from '../../rig/cli/event-stories.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'

const fresh: Ledger = {
  session: aSession(),
  state: initialSessionState,
  run: undefined,
  turn: undefined,
  title: '',
}
const next = (ledger: Ledger, ...events: SessionEvent[]) =>
  advance(ledger, events, { at: 7, steadyAt: PROCESS_BEGAN })
const rowAfter = (...events: SessionEvent[]) => next(fresh, ...events).ledger.session

const asked: SessionEvent = {
  type: 'approval.opened',
  approvalId: asApprovalId('budget'),
  requestId: 'budget',
  kind: 'budget',
  toolName: 'Budget',
  input: { resource: 'usd', spent: 8, limit: 10 },
}
const answered = (action: 'stop' | 'continue'): SessionEvent => ({
  type: 'approval.settled',
  approvalId: asApprovalId('budget'),
  status: 'allowed',
  decision: { behavior: 'budget', resource: 'usd', action },
  by: 'ann',
})
const usedUp: SessionEvent = {
  type: 'budget.used_up',
  of: 's1',
  resource: 'usd',
  spent: 10,
  limit: 10,
  message: 'The budget is spent.',
}
const interrupted: SessionEvent = { type: 'turn.ended', outcome: 'interrupted' }

const set = (budget?: object): SessionEvent => ({
  type: 'budget.set',
  by: 'ann',
  ...(budget ? { budget } : {}),
})

describe('a row', () => {
  test('of an ordinary session has none of these columns', () => {
    const row = rowAfter(accepted('p'), turnEnded())
    for (const column of [
      'budget',
      'budgetQuestions',
      'mustStop',
      'endedOutside',
      'showsHeld',
      'outside',
      'terminal',
    ])
      expect(row).not.toHaveProperty(column)
  })

  test('counts the open questions about a budget, also back to none', () => {
    const open = next(fresh, asked)
    expect(open.ledger.session).toMatchObject({ budgetQuestions: 1, status: 'idle' })
    expect(next(open.ledger, answered('continue')).ledger.session.budgetQuestions).toBe(0)
  })

  test('says that its tree must stop, until it has', () => {
    expect(rowAfter(asked, answered('continue'))).not.toHaveProperty('mustStop')
    const must = next(fresh, asked, answered('stop'))
    expect(must.ledger.session.mustStop).toBe(true)
    const over = next(must.ledger, { type: 'session.stopped' })
    expect(over.ledger.session).toMatchObject({ mustStop: false, stopped: true })
  })

  test('has the budget that was set, and null where it was removed', () => {
    expect(rowAfter(set({ usd: 5 })).budget).toEqual({ usd: 5 })
    expect(rowAfter(set()).budget).toBeNull()
  })

  test('says which process outside has it, and that it has ended', () => {
    const found = {
      type: 'session.handed_over',
      to: 'terminal',
      pid: 7,
      startedAt: 't',
      found: true,
    } as const
    const given = next(fresh, found)
    expect(given.ledger.session).toMatchObject({ terminal: true, outside: { pid: 7 } })
    expect(given.ledger.session).not.toHaveProperty('endedOutside')
    const over = next(given.ledger, { type: 'session.returned' })
    expect(over.ledger.session).toMatchObject({ terminal: true, outside: undefined, endedOutside: true })
    const again = next(over.ledger, accepted('p'))
    expect(again.ledger.session).toMatchObject({ terminal: undefined, stopped: false })
  })

  test('has the time at work', () => {
    const { spent } = rowAfter(accepted('p'))
    expect(spent).toEqual({ tokens: 0, turnTokens: 0, toolCalls: 0, workMs: 0, since: PROCESS_BEGAN })
  })
})

const granted = (remembered: object) => {
  const answer = { ...settled('1', allow), remembered } as unknown as SessionEvent
  return next(fresh, opened('1', 't'), answer).step.granted?.length
}

const cost = (total: number, tokens: number): SessionEvent => ({
  type: 'cost.reported',
  total,
  tokens,
  inputTokens: 1,
  outputTokens: 1,
  models: { opus: { usd: total, tokens } },
})

describe('a step', () => {
  test('has what was spent in it, by model, and nothing where nothing was', () => {
    const first = next(fresh, accepted('p'), cost(2, 100))
    expect(first.step.spent).toEqual([{ model: 'opus', usd: 2, tokens: 100 }])
    const second = next(first.ledger, cost(3, 100))
    expect(second.step.spent).toEqual([{ model: 'opus', usd: 1, tokens: 0 }])
    const third = next(second.ledger, cost(3, 150))
    expect(third.step.spent).toEqual([{ model: 'opus', usd: 0, tokens: 50 }])
    expect(next(third.ledger, cost(3, 150)).step).not.toHaveProperty('spent')
    expect(next(third.ledger, turnEnded()).step).not.toHaveProperty('spent')
  })

  test('has the extensions, and what a hook of a terminal decided', () => {
    const extended = {
      type: 'approval.extended',
      approvalId: asApprovalId('a'),
      by: 'ann',
      until: 9,
    } as const
    const hook = { type: 'terminal.hook_found', approvalId: asApprovalId('b') } as const
    const { step } = next(fresh, extended, hook)
    expect([step.extended, step.byHook]).toEqual([[extended], ['b']])
  })

  test('names the withdrawn question that is asked again', () => {
    const withdrawn = next(fresh, accepted('p'), opened('1', 'tool-1'), settled('1'))
    expect(withdrawn.step.superseded).toEqual([])
    const again = next(withdrawn.ledger, opened('2', 'tool-2'))
    expect(again.step.superseded).toEqual([{ approvalId: 'approval-1', by: 'approval-2' }])
    expect(again.step.opened?.[0]).toMatchObject({ id: 'approval-2', supersedes: 'approval-1' })
  })

  test('has a question with the time that a rule gives it', () => {
    const verdict = { effect: 'ask', drawer: 'rules', timeoutMs: 5_000 } as const
    const limited = next(fresh, { ...opened('1', 't'), verdict }).step.opened?.[0]
    expect(limited).toMatchObject({ timeoutMs: 5_000 })
    expect(next(fresh, opened('1', 't')).step.opened?.[0]).not.toHaveProperty('timeoutMs')
  })

  test('puts the answer to a question about a budget on record with the question', () => {
    const open = next(fresh, asked)
    const { recorded = [] } = next(open.ledger, answered('continue')).step
    expect(recorded).toMatchObject([{ kind: 'settled', body: { approvalId: 'budget', question: 'budget' } }])
  })

  test('grants only what is remembered with an id, a scope and rules', () => {
    const whole = { id: 'g', scope: 'session', rules: [] }
    expect(granted(whole)).toBe(1)
    for (const field of ['id', 'scope', 'rules']) expect(granted({ ...whole, [field]: undefined })).toBe(0)
  })
})

const fold = (...events: SessionEvent[]) => events.reduce(evolve, initialSessionState)

describe('a turn that is interrupted because its budget is spent', () => {
  test('says so, unless it ended otherwise', () => {
    const over = { code: 'over_budget', message: 'The budget is spent.' }
    expect(fold(accepted('p'), usedUp, interrupted).error).toEqual(over)
    expect(fold(accepted('p'), usedUp, turnEnded()).error).toBeUndefined()
    const failed = { code: 'cli_failed', message: 'It fell.' } as const
    expect(fold(accepted('p'), usedUp, { ...interrupted, error: failed }).error).toEqual(failed)
    expect(fold(accepted('p'), interrupted).error).toBeUndefined()
  })

  test('is forgotten with the next turn, and with another budget', () => {
    const echoed: SessionEvent = { type: 'prompt.echoed', promptId: 'p' }
    expect(fold(accepted('p'), echoed, usedUp, interrupted, accepted('q'))).toMatchObject({
      error: undefined,
      overBudget: undefined,
    })
    const raised: SessionEvent = { type: 'budget.set', budget: { usd: 20 }, by: 'ann' }
    expect(fold(accepted('p'), usedUp, raised, interrupted).error).toBeUndefined()
  })
})

test('what the model writes counts before its process reports it', () => {
  const text: SessionEvent = { type: 'text', text: 't', messageId: 'm', contextTokens: 10 }
  const state = [accepted('p'), text, { type: 'message.ended', outputTokens: 4 } as const].reduce(
    evolve,
    initialSessionState,
  )
  expect(state.spending.turnTokens).toBe(14)
})
