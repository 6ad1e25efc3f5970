import type { RunId } from '../../base/ids.ts'
import { type AskedCalls, NO_CALLS } from '../asked/asked-calls.ts'
import { type Flood, NO_FLOOD } from '../../approvals/floods/flood.ts'
import { isAtWork } from './at-work.ts'
import { initialRunState, pendingApprovals, type RunState } from '../../child/state/run-state.ts'
import type { ErrorInfo, EventOf } from '../../events/session-event.ts'
import type { Outdated, Outside, SessionStatus } from './session.ts'
import { type BudgetState, NO_BUDGET_STATE } from '../spending/budget-steps.ts'
import { NO_SPENDING, type SessionSpending } from '../spending/session-spending.ts'
import { type ModelCosts, NO_MODEL_COSTS } from '../spending/model-costs.ts'
import { NO_COST, type SessionCost } from '../spending/session-cost.ts'

/**
 * The state of a session, folded from its events. A turn begins with a prompt that comes while no turn runs, or, when the child
 * begins by itself, with the child's own word; it ends with its result. Around that, three things keep a session
 * from being done: a question that nobody has answered (whatever the turn does), a prompt that no turn has echoed
 * yet, and a background agent, which works and asks across the end of a turn. Background shells hold no state.
 */
export interface SessionState extends BudgetState {
  /** The requests that are open between the hub and the child. */
  readonly open: RunState
  /** The live run. */
  readonly runId: RunId | undefined
  /** The rules that an older version gave it because they were remembered. Nobody can take one away from it. */
  readonly given: readonly string[]
  /** The live run can be given a note after a call. */
  readonly takesNotes: boolean
  /** The live run has less protection than one of today would have. */
  readonly outdated: Outdated | undefined
  /** Questions and ends of sessions below that it knows of: by a prompt of ours, or because it looked. The latest last. */
  readonly knows: readonly string[]
  /** Somebody stopped it, and nothing was said to it since. */
  readonly stopped: boolean
  /** With `stopped`: nobody stopped it, its process outside has ended by itself. */
  readonly endedOutside: boolean
  /** The process outside that has the conversation; its time with it counts as a turn. */
  readonly outside: Outside | undefined
  /** The conversation began in a terminal, where the hub found it, and no prompt was sent here. */
  readonly terminal: boolean
  /** The number of the current or last turn. */
  readonly turn: number
  readonly inTurn: boolean
  /** The child has begun the turn; before that it is only the prompts that wait for it. */
  readonly started: boolean
  readonly outcome: 'idle' | EventOf<'turn.ended'>['outcome']
  readonly error: ErrorInfo | undefined
  /** Background tasks by id: agents hold the state, shells only keep the process. */
  readonly agents: readonly string[]
  readonly shells: readonly string[]
  readonly cliSessionId: string | undefined
  readonly cliVersion: string | undefined
  readonly model: string | undefined
  /** Asked for after the start; the next process gets it too. */
  readonly chosenModel: string | undefined
  readonly permissionMode: string | undefined
  /** Where the child works: a worktree of its own may be elsewhere than the session began. */
  readonly workingDirectory: string | undefined
  readonly cost: SessionCost
  readonly spending: SessionSpending
  readonly modelCosts: ModelCosts
  /** Why the turn is interrupted. */
  readonly overBudget: ErrorInfo | undefined
  /** What the model had before it when it was last asked, and how much that can be. */
  readonly contextTokens: number | undefined
  readonly contextWindow: number | undefined
  /** What was last said in the main conversation: where a fork of this turn begins. */
  readonly assistantUuid: string | undefined
  /** What it has asked about lately. */
  readonly asked: AskedCalls
  /** How many questions a person was asked lately. */
  readonly flood: Flood
}

export const initialSessionState: SessionState = {
  open: initialRunState,
  runId: undefined,
  given: [],
  takesNotes: false,
  outdated: undefined,
  knows: [],
  stopped: false,
  endedOutside: false,
  outside: undefined,
  terminal: false,
  turn: 0,
  inTurn: false,
  started: false,
  outcome: 'idle',
  error: undefined,
  agents: [],
  shells: [],
  cliSessionId: undefined,
  cliVersion: undefined,
  model: undefined,
  chosenModel: undefined,
  permissionMode: undefined,
  workingDirectory: undefined,
  cost: NO_COST,
  spending: NO_SPENDING,
  modelCosts: NO_MODEL_COSTS,
  ...NO_BUDGET_STATE,
  overBudget: undefined,
  contextTokens: undefined,
  contextWindow: undefined,
  assistantUuid: undefined,
  asked: NO_CALLS,
  flood: NO_FLOOD,
}

export function statusOf(state: SessionState): SessionStatus {
  if (pendingApprovals(state.open).length > 0) return 'waiting'
  if (state.outside?.status !== undefined) return STATUS_OF[state.outside.status]
  return state.inTurn || state.open.prompts.size > 0 || state.agents.length > 0 ? 'running' : state.outcome
}

/** It works, or waits for somebody. */
export function isBusy(state: SessionState): boolean {
  return isAtWork({ status: statusOf(state) })
}

/** What a CLI in a terminal says of itself. It may wait for a person without a question here, if hooks are off there. */
const STATUS_OF: Record<NonNullable<Outside['status']>, SessionStatus> = {
  idle: 'idle',
  shell: 'idle',
  busy: 'running',
  waiting: 'waiting',
}
