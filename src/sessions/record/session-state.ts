import { z } from 'zod'
import type { RunId } from '../../base/ids.ts'
import { type AskedCalls, evolveAsked, evolvingAsked, NO_CALLS } from '../asked/asked-calls.ts'
import { evolveFlood } from '../asked/flood-events.ts'
import { type Flood, NO_FLOOD } from '../../approvals/floods/flood.ts'
import { isAtWork } from './at-work.ts'
import { outsideEnd } from '../../child/state/outside-end.ts'
import {
  evolve as evolveOpen,
  evolving as evolvingOpen,
  initialRunState,
  pendingApprovals,
  type RunState,
} from '../../child/state/run-state.ts'
import type { ErrorInfo, EventOf, SessionEvent } from '../../events/session-event.ts'
import type { Outdated, Outside, SessionStatus } from './session.ts'
import { type BudgetState, evolveBudget, NO_BUDGET_STATE } from '../spending/budget-steps.ts'
import {
  NO_SPENDING,
  type SessionSpending,
  spendingAfterRun,
  withMessage,
  withOutput,
  withTokenReport,
} from '../spending/session-spending.ts'
import {
  type ModelCosts,
  modelCostsAfterRun,
  NO_MODEL_COSTS,
  withModelReport,
} from '../spending/model-costs.ts'
import {
  costAfterRun,
  costForVersion,
  NO_COST,
  type SessionCost,
  withReport,
} from '../spending/session-cost.ts'

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

export function evolve(state: SessionState, event: SessionEvent): SessionState {
  return next(state, event, evolveOpen, evolveAsked)
}

/** The same for a sequence of events whose states nobody keeps but the last; the first is left as it is. */
export function evolving(): typeof evolve {
  const [open, asked] = [evolvingOpen(), evolvingAsked()]
  return (state, event) => next(state, event, open, asked)
}

/** The state after many events; the states between are not kept. */
export function evolveAll(state: SessionState, events: Iterable<SessionEvent>): SessionState {
  const evolveNext = evolving()
  let last = state
  for (const event of events) last = evolveNext(last, event)
  return last
}

/** The parts with folds of their own in one copy: a new hub folds every question that is open. */
function next(
  state: SessionState,
  event: SessionEvent,
  openAfter: typeof evolveOpen,
  askedAfter: typeof evolveAsked,
): SessionState {
  const open = openAfter(state.open, event)
  const asked = askedAfter(state.asked, event)
  const flood = evolveFlood({ flood: state.flood, open, turn: state.turn }, event)
  const isSame = open === state.open && asked === state.asked && flood === state.flood
  return evolveRest(isSame ? state : { ...state, open, asked, flood }, event)
}

function evolveRest(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'run.started':
      return {
        ...state,
        runId: event.runId,
        given: event.rules ?? [],
        takesNotes: event.notes === true,
        outdated: undefined,
      }
    case 'run.outdated': {
      const { protection, needed } = event
      return event.runId === state.runId ? { ...state, outdated: { protection, needed } } : state
    }
    case 'run.ended':
      return { ...endedRun(state, event), ...NO_RUN }
    case 'prompt.accepted': {
      const informed = event.wakesFor === undefined ? state : knowing(state, event.wakesFor)
      const going =
        informed.stopped || informed.terminal ? { ...informed, stopped: false, terminal: false } : informed
      return going.inTurn || going.open.prompts.size > 1 ? going : begun(going)
    }
    case 'below.seen':
      return knowing(state, event.news)
    case 'session.stopped':
      return { ...evolveBudget(state, event), stopped: true, endedOutside: false }
    case 'session.handed_over':
      return {
        ...(state.inTurn ? state : begun(state)),
        started: true,
        stopped: false,
        outside: outsideOf(event),
        terminal: state.terminal || (event.found === true && !event.own && state.turn === 0),
      }
    case 'terminal.changed': {
      const { status, waitingFor } = event
      return state.outside?.to === 'terminal'
        ? { ...state, outside: { ...state.outside, status, waitingFor } }
        : state
    }
    case 'session.returned':
      return {
        ...state,
        ...outsideEnd(state.outside?.to, event),
        outside: undefined,
        inTurn: false,
        started: false,
        // A command and a person's own terminal are over for good; a conversation that was handed over is idle here again.
        stopped: state.outside?.to === 'command' || state.terminal,
        endedOutside: state.outside?.to === 'command' || state.terminal,
        cliSessionId: event.cliSessionId ?? state.cliSessionId,
        // Both may have changed there.
        contextTokens: undefined,
        assistantUuid: undefined,
      }
    case 'prompt.withdrawn': // no event ends a turn that never began
      return state.inTurn && !state.started && state.open.prompts.size === 0
        ? { ...state, inTurn: false, outcome: 'interrupted' }
        : state
    case 'turn.started': {
      const { cliSessionId, cliVersion } = event
      const { model, permissionMode, workingDirectory } = { ...state, ...event }
      const version = cliVersion ?? state.cliVersion
      const turn = state.inTurn ? state : begun(state)
      const cost = costForVersion(state.cost, cliVersion)
      // Another conversation has another context; 2.1.197 says so by nothing else.
      const isSame = state.cliSessionId === undefined || state.cliSessionId === cliSessionId
      const contextTokens = isSame ? state.contextTokens : undefined
      const reported = { cliSessionId, model, permissionMode, workingDirectory, contextTokens }
      const known = { ...turn, started: true, ...reported, cost }
      return version === undefined ? known : { ...known, cliVersion: version }
    }
    case 'turn.ended':
      return {
        ...state,
        inTurn: false,
        started: false,
        outcome: event.outcome,
        error: event.error ?? (event.outcome === 'interrupted' ? state.overBudget : undefined),
      }
    case 'cost.reported':
      return {
        ...state,
        cost: withReport(state.cost, event.total),
        spending: withTokenReport(state.spending, event.tokens),
        modelCosts: withModelReport(state.modelCosts, event.models),
        contextWindow: event.contextWindows?.[state.model ?? ''] ?? state.contextWindow,
      }
    case 'text':
    case 'thinking':
    case 'tool.used': {
      const spending = withMessage(state.spending, event)
      const spent = spending === state.spending ? state : { ...state, spending }
      return event.parent === undefined && event.uuid !== undefined
        ? {
            ...spent,
            assistantUuid: event.uuid,
            contextTokens: event.contextTokens ?? state.contextTokens,
          }
        : spent
    }
    case 'message.ended':
      return { ...state, spending: withOutput(state.spending, event) }
    case 'budget.set':
      return { ...evolveBudget(state, event), overBudget: undefined }
    case 'budget.low':
    case 'approval.opened':
      return evolveBudget(state, event)
    case 'budget.used_up':
      return { ...state, overBudget: { code: 'over_budget', message: event.message } }
    case 'mode.changed':
      return { ...state, permissionMode: event.mode }
    case 'model.chosen':
      return { ...state, chosenModel: event.model }
    case 'task.started':
      return event.kind === 'local_agent'
        ? { ...state, agents: [...state.agents, event.taskId] }
        : { ...state, shells: [...state.shells, event.taskId] }
    case 'task.ended':
      return {
        ...state,
        agents: state.agents.filter((id) => id !== event.taskId),
        shells: state.shells.filter((id) => id !== event.taskId),
      }
    case 'approval.settled':
      return event.remembered?.rule === undefined
        ? evolveBudget(state, event)
        : { ...state, given: [...state.given, ...rulesGivenBy(event.remembered.rule)] }
    case 'context.compacted':
      return { ...state, contextTokens: event.after }
    case 'conversation.cleared': // the next turn has the new id
      return { ...state, contextTokens: undefined }
    case 'terminal.hook_found':
    case 'prompt.echoed':
    case 'text.streamed':
    case 'tool.finished':
    case 'tool.seen':
    case 'tool.returned':
    case 'tool.unasked':
    case 'tool.refused':
    case 'approval.escalated':
    case 'approval.extended':
    case 'nesting.ended':
    case 'grant.expired':
    case 'grant.revoked':
    case 'grant.narrowed': // the process that was given its rules has them still
    case 'request.cancelled':
    case 'request.unknown':
    case 'api.retried':
    case 'line.unknown':
    case 'line.unparsed':
      return state
  }
}

function knowing(state: SessionState, news: string): SessionState {
  return { ...state, knows: [...state.knows, news].slice(-MOST_KNOWN) }
}

function begun(state: SessionState): SessionState {
  return {
    ...state,
    turn: state.turn + 1,
    inTurn: true,
    started: false,
    error: undefined,
    overBudget: undefined,
    assistantUuid: undefined,
  }
}

/** A process that ends under a turn takes the turn with it, but for one that only its prompts have begun. */
function endedRun(before: SessionState, event: EventOf<'run.ended'>): SessionState {
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
function rulesGivenBy(remembered: unknown): string[] {
  return GivenRules.safeParse(remembered).data?.rules ?? []
}
const GivenRules = z.object({ rules: z.array(z.string()) })

function outsideOf({ to, pid, startedAt, found }: EventOf<'session.handed_over'>): Outside {
  return { to, pid, startedAt, ...(found ? { found } : {}) }
}

/** What a CLI in a terminal says of itself. It may wait for a person without a question here, if hooks are off there. */
const STATUS_OF: Record<NonNullable<Outside['status']>, SessionStatus> = {
  idle: 'idle',
  shell: 'idle',
  busy: 'running',
  waiting: 'waiting',
}
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
const MOST_KNOWN = 500
