import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Budget, limitKey, RESOURCES } from '../../../src/budgets/budget.ts'
import { useIn } from '../../../src/budgets/budget-question.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import {
  evolve,
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
    share: fc.double({ min: 0, max: 1.5, noNaN: true }),
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
    fc.property(fc.array(happening, { maxLength: 40 }), (steps) => {
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
