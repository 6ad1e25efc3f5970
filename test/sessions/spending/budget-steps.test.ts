import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Budget, limitKey, RESOURCES } from '../../../src/budgets/budget.ts'
import { useIn } from '../../../src/budgets/budget-question.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import {
  initialSessionState,
  type SessionState,
  statusOf,
} from '../../../src/sessions/record/session-state.ts'
import { budgetEvents } from '../../../src/sessions/spending/budget-asking.ts'
import { withBudgetSteps } from '../../../src/sessions/spending/budget-steps.ts'

const config = { budget: { usd: 10, tokens: 100 } }
const resource = fc.constantFrom(...RESOURCES.slice(0, 2))
/** What happens to a budget, in any order. */
const happening = fc.oneof(
  fc.record({
    does: fc.constant('use' as const),
    resource,
    share: fc.constantFrom(0.5, 0.79, 0.8, 0.9, 1, 1.5),
  }),
  fc.record({ does: fc.constant('rest' as const) }),
  fc.record({ does: fc.constant('answer' as const), action: fc.constantFrom('raise', 'continue', 'stop') }),
  fc.record({ does: fc.constant('set' as const), usd: fc.constantFrom(10, 20, 30) }),
  fc.record({ does: fc.constant('process ends' as const) }),
)

interface Story {
  readonly state: SessionState
  readonly events: readonly SessionEvent[]
}

function place({ state, events }: Story, given: readonly SessionEvent[]): Story {
  let next = { state, events: [...events] }
  for (const event of given)
    for (const one of withBudgetSteps(next.state, config, event))
      next = { state: evolve(next.state, one), events: [...next.events, one] }
  return next
}

const limitsNow = (state: SessionState): Budget => state.budget ?? config.budget

function after(story: Story, step: typeof happening extends fc.Arbitrary<infer T> ? T : never): Story {
  const { state } = story
  const [open] = state.budgetQuestions
  switch (step.does) {
    case 'use': {
      const limit = limitsNow(state)[step.resource]
      if (limit === undefined) return story
      const use = { resource: step.resource, limit, spent: limit * step.share }
      return place(story, budgetEvents(state, [use], { isAtWork: true }))
    }
    case 'rest':
      return place(story, budgetEvents(state, [], { isAtWork: false }))
    case 'answer': {
      if (!open) return story
      const { resource: of, limit } = useIn(open.input)
      const raise = step.action === 'raise' ? { limit: limit * 2 } : {}
      const decision = { behavior: 'budget', action: step.action, resource: of, ...raise } as const
      return place(story, [
        { type: 'approval.settled', approvalId: open.approvalId, status: 'allowed', decision, by: 'ann' },
      ])
    }
    case 'set':
      return place(story, [{ type: 'budget.set', budget: { usd: step.usd, tokens: 100 }, by: 'ann' }])
    case 'process ends':
      return place(story, [{ type: 'run.ended', runId: 'r' as never }])
  }
}

test('a limit is asked about by one question at a time, never again once it is answered, and each is settled once', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40, size: 'max' }), (steps) => {
      let story: Story = { state: initialSessionState, events: [] }
      for (const step of steps) {
        const answered = story.state.answeredLimits
        const before = story.events.length
        story = after(story, step)
        const { state } = story
        const keys = state.budgetQuestions.map(({ input }) => limitKey(useIn(input)))
        expect(new Set(keys).size).toBe(keys.length)
        const asked = story.events
          .slice(before)
          .flatMap((event) => (event.type === 'approval.opened' ? limitKey(useIn(event.input)) : []))
        expect(asked.filter((key) => answered.includes(key))).toEqual([])
        // Only limits that hold are asked about, and a question stops nothing.
        for (const { input } of state.budgetQuestions) {
          const use = useIn(input)
          expect(limitsNow(state)[use.resource]).toBe(use.limit)
        }
        expect(statusOf(state)).not.toBe('waiting')
      }
      const settled = story.events.flatMap((event) =>
        event.type === 'approval.settled' ? [event.approvalId] : [],
      )
      expect(new Set(settled).size).toBe(settled.length)
      const opened = story.events.filter(({ type }) => type === 'approval.opened')
      expect(opened.length - settled.length).toBe(story.state.budgetQuestions.length)
    }),
  )
})

test('a raise sets the limit in the same step, and keeps the other limits', () => {
  const asked = place(
    { state: initialSessionState, events: [] },
    budgetEvents(initialSessionState, [{ resource: 'usd', spent: 9, limit: 10 }], { isAtWork: true }),
  )
  const raised = after(asked, { does: 'answer', action: 'raise' })
  expect(raised.state.budget).toEqual({ usd: 20, tokens: 100 })
  expect(raised.events.map(({ type }) => type)).toEqual([
    'budget.low',
    'approval.opened',
    'approval.settled',
    'budget.set',
  ])
})

describe('an answer about a limit', () => {
  const use = { resource: 'usd', spent: 9, limit: 10 } as const
  const start: Story = { state: initialSessionState, events: [] }
  const asked = place(start, budgetEvents(start.state, [use], { isAtWork: true }))

  test('closes its question, and nobody is asked again while the limit holds', () => {
    for (const action of ['continue', 'stop'] as const) {
      const { state } = after(asked, { does: 'answer', action })
      expect(state).toMatchObject({
        budgetQuestions: [],
        answeredLimits: ['usd 10'],
        lowLimits: ['usd 10'],
        mustStop: action === 'stop',
      })
      expect(budgetEvents(state, [use], { isAtWork: true })).toEqual([])
    }
  })

  test('to stop holds until it has stopped, whatever else is answered', () => {
    const stop = after(asked, { does: 'answer', action: 'stop' })
    const other = { resource: 'tokens', spent: 90, limit: 100 } as const
    const again = after(place(stop, budgetEvents(stop.state, [other], { isAtWork: true })), {
      does: 'answer',
      action: 'continue',
    })
    expect(again.state).toMatchObject({ mustStop: true, answeredLimits: ['usd 10', 'tokens 100'] })
    const stopped = { type: 'session.stopped' } as SessionEvent
    expect(place(again, [stopped]).state.mustStop).toBe(false)
  })

  test('that is none, because nobody is at work, leaves the limit to be asked about again', () => {
    const { state, events } = after(asked, { does: 'rest' })
    expect(events.at(-1)).toMatchObject({ type: 'approval.settled', status: 'withdrawn' })
    expect(state).toMatchObject({ budgetQuestions: [], answeredLimits: [], mustStop: false })
    expect(budgetEvents(state, [use], { isAtWork: true })).toMatchObject([{ type: 'approval.opened' }])
  })
})

const at = (share: number) =>
  budgetEvents(initialSessionState, [{ resource: 'usd', limit: 10, spent: 10 * share }], { isAtWork: true })

test('a limit is noted and asked about from 80 % on, and no more where it is used up', () => {
  expect([0.5, 0.79, 0.8, 0.99, 1, 1.5].map((share) => at(share).map(({ type }) => type))).toEqual([
    [],
    [],
    ['budget.low', 'approval.opened'],
    ['budget.low', 'approval.opened'],
    [],
    [],
  ])
})

test('another budget withdraws the questions about limits that no longer hold, and forgets those', () => {
  const start: Story = { state: initialSessionState, events: [] }
  const uses = [
    { resource: 'usd', spent: 9, limit: 10 },
    { resource: 'tokens', spent: 90, limit: 100 },
  ] as const
  const both = place(start, budgetEvents(start.state, uses, { isAtWork: true }))
  const changed = after(both, { does: 'set', usd: 20 })
  expect(changed.state.budgetQuestions.map(({ input }) => limitKey(useIn(input)))).toEqual(['tokens 100'])
  expect(changed.state.lowLimits).toEqual(['tokens 100'])
  expect(changed.events.filter(({ type }) => type === 'approval.settled')).toMatchObject([
    { status: 'withdrawn' },
  ])
  const none = place(both, [{ type: 'budget.set', by: 'ann' }])
  expect(none.state).toMatchObject({ budget: null, budgetQuestions: [], lowLimits: [] })
  const answered = after(both, { does: 'answer', action: 'continue' })
  expect(after(answered, { does: 'set', usd: 20 }).state.answeredLimits).toEqual([])
  expect(after(answered, { does: 'set', usd: 10 }).state.answeredLimits).toEqual(['usd 10'])
})

test('a question of the session that is about no budget changes nothing of it', () => {
  const tool = { type: 'approval.settled', approvalId: 'other' as never, status: 'allowed' } as const
  expect(withBudgetSteps(initialSessionState, config, tool)).toEqual([tool])
  expect(withBudgetSteps(initialSessionState, config, { type: 'turn.ended', outcome: 'done' })).toHaveLength(
    1,
  )
})
