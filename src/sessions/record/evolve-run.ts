import { z } from 'zod'
import type { ErrorInfo, EventOf } from '../../events/session-event.ts'
import { costAfterRun } from '../spending/session-cost.ts'
import { modelCostsAfterRun } from '../spending/model-costs.ts'
import { spendingAfterRun } from '../spending/session-spending.ts'
import type { SessionState } from './session-state.ts'

export function startedRun(state: SessionState, event: EventOf<'run.started'>): SessionState {
  return {
    ...state,
    runId: event.runId,
    given: event.rules ?? [],
    takesNotes: event.notes === true,
    outdated: undefined,
  }
}

export function endedRun(state: SessionState, event: EventOf<'run.ended'>): SessionState {
  return { ...endedWithRun(state, event), ...NO_RUN }
}

/** A process that ends under a turn takes the turn with it, but for one that only its prompts have begun. */
function endedWithRun(before: SessionState, event: EventOf<'run.ended'>): SessionState {
  const cost = costAfterRun(before.cost)
  const { continues } = before.cost
  const state = {
    ...before,
    spending: spendingAfterRun(before.spending, continues),
    modelCosts: modelCostsAfterRun(before.modelCosts, continues),
  }
  const prompts = state.open.prompts.size > 0
  const over = { ...state, cost, inTurn: false, started: false }
  if (event.error) return { ...over, outcome: 'failed', error: event.error }
  if (!state.inTurn && state.agents.length === 0 && !prompts) return { ...state, cost }
  if (event.stopped) return { ...over, outcome: 'interrupted' }
  if (prompts && !state.started) return { ...state, cost } // the next process takes them
  return { ...over, outcome: 'failed', error: ENDED }
}

/** The rules of the CLI in what an older version remembered. */
export function rulesGivenBy(remembered: unknown): string[] {
  return GivenRules.safeParse(remembered).data?.rules ?? []
}
const GivenRules = z.object({ rules: z.array(z.string()) })

const NO_RUN = {
  runId: undefined,
  given: [],
  takesNotes: false,
  outdated: undefined,
  agents: [],
  shells: [],
}
const ENDED: ErrorInfo = {
  code: 'cli_failed',
  message: 'Claude Code ended before its turn did. Say something to continue.',
}
