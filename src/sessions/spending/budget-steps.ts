import { type Budget, budgetOf, limitKey } from '../../budgets/budget.ts'
import { useIn } from '../../budgets/budget-question.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'

type Opened = EventOf<'approval.opened'>

/** What a session knows of its budget. It is part of checkpoints, so its fields keep their names. */
export interface BudgetState {
  /** Set after the start; null: no limit of its own. */
  readonly budget: Budget | null | undefined
  /** The open questions about it; they belong to no process, so no end of a process closes them. */
  readonly budgetQuestions: readonly Opened[]
  /** The limits of which most is used and that are on record as such. */
  readonly lowLimits: readonly string[]
  /** The limits about which an answer was given: nobody is asked again. */
  readonly answeredLimits: readonly string[]
  /** An answer was to stop it and all sessions below it, and that has not happened yet. */
  readonly mustStop: boolean
}

export const NO_BUDGET_STATE: BudgetState = {
  budget: undefined,
  budgetQuestions: [],
  lowLimits: [],
  answeredLimits: [],
  mustStop: false,
}

type BudgetEvent = EventOf<
  'approval.opened' | 'approval.settled' | 'budget.set' | 'budget.low' | 'session.stopped'
>

/** The same object if the event is about something else. */
export function evolveBudget<S extends BudgetState>(state: S, event: BudgetEvent): S {
  switch (event.type) {
    case 'approval.opened':
      if (event.kind !== 'budget' || questionIn(state, event.approvalId)) return state
      return { ...state, budgetQuestions: [...state.budgetQuestions, event] }
    case 'approval.settled': {
      const asked = questionIn(state, event.approvalId)
      if (!asked) return state
      const { decision } = event
      const budgetQuestions = state.budgetQuestions.filter((one) => one !== asked)
      if (decision?.behavior !== 'budget') return { ...state, budgetQuestions }
      return {
        ...state,
        budgetQuestions,
        answeredLimits: [...state.answeredLimits, limitKey(useIn(asked.input))],
        mustStop: state.mustStop || decision.action === 'stop',
      }
    }
    case 'budget.low':
      return { ...state, lowLimits: [...state.lowLimits, limitKey(event)] }
    case 'budget.set': {
      const isSame = (key: string) => keysOf(event.budget).includes(key)
      return {
        ...state,
        budget: event.budget ?? null,
        lowLimits: state.lowLimits.filter(isSame),
        answeredLimits: state.answeredLimits.filter(isSame),
      }
    }
    case 'session.stopped':
      return state.mustStop ? { ...state, mustStop: false } : state
  }
}

/** An event and what follows from it for the budget: a raise sets it, and a limit that is gone is not asked about. */
export function withBudgetSteps(
  state: BudgetState,
  config: Parameters<typeof budgetOf>[0]['config'],
  event: SessionEvent,
): SessionEvent[] {
  if (event.type === 'budget.set') return [event, ...outdated(state, event.budget)]
  if (event.type !== 'approval.settled' || !questionIn(state, event.approvalId)) return [event]
  const { decision, by = '' } = event
  if (decision?.behavior !== 'budget' || decision.limit === undefined) return [event]
  const budget = { ...budgetOf({ budget: state.budget, config }), [decision.resource]: decision.limit }
  return [event, { type: 'budget.set', budget, by }]
}

function outdated({ budgetQuestions }: BudgetState, budget: Budget | undefined): SessionEvent[] {
  return budgetQuestions
    .filter(({ input }) => !keysOf(budget).includes(limitKey(useIn(input))))
    .map(({ approvalId }) => ({ type: 'approval.settled', approvalId, status: 'withdrawn' }))
}

function questionIn({ budgetQuestions }: BudgetState, id: string): Opened | undefined {
  return budgetQuestions.find(({ approvalId }) => approvalId === id)
}

function keysOf(budget: Budget | undefined): string[] {
  return Object.entries(budget ?? {}).map(([resource, limit]) => `${resource} ${limit}`)
}
