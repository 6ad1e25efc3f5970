import { evolveAsked, evolvingAsked } from '../asked/asked-calls.ts'
import { evolveFlood } from '../asked/flood-events.ts'
import { evolve as evolveOpen, evolving as evolvingOpen } from '../../child/state/run-state.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { evolveBudget } from '../spending/budget-steps.ts'
import { withMessage, withOutput, withTokenReport } from '../spending/session-spending.ts'
import { withModelReport } from '../spending/model-costs.ts'
import { withReport } from '../spending/session-cost.ts'
import { changedTerminal, handedOver, returned } from './evolve-outside.ts'
import { endedRun, rulesGivenBy, startedRun } from './evolve-run.ts'
import { acceptedPrompt, endedTurn, startedTurn, withdrawnPrompt } from './evolve-turn.ts'
import type { SessionState } from './session-state.ts'

/** The state of a session after an event. */
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
      return startedRun(state, event)
    case 'run.outdated': {
      const { protection, needed } = event
      return event.runId === state.runId ? { ...state, outdated: { protection, needed } } : state
    }
    case 'run.ended':
      return endedRun(state, event)
    case 'prompt.accepted':
      return acceptedPrompt(event.wakesFor === undefined ? state : knowing(state, event.wakesFor))
    case 'below.seen':
      return knowing(state, event.news)
    case 'session.stopped':
      return { ...evolveBudget(state, event), stopped: true, endedOutside: false }
    case 'session.handed_over':
      return handedOver(state, event)
    case 'terminal.changed':
      return changedTerminal(state, event)
    case 'session.returned':
      return returned(state, event)
    case 'prompt.withdrawn':
      return withdrawnPrompt(state)
    case 'turn.started':
      return startedTurn(state, event)
    case 'turn.ended':
      return endedTurn(state, event)
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

const MOST_KNOWN = 500
