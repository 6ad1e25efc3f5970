import type { EventOf } from '../../events/session-event.ts'
import { costForVersion } from '../spending/session-cost.ts'
import type { SessionState } from './session-state.ts'

/** A prompt begins a turn, unless a turn runs or other prompts wait for one. */
export function acceptedPrompt(state: SessionState): SessionState {
  const going = state.stopped || state.terminal ? { ...state, stopped: false, terminal: false } : state
  return going.inTurn || going.open.prompts.size > 1 ? going : nextTurn(going)
}

/** No event ends a turn that never began. */
export function withdrawnPrompt(state: SessionState): SessionState {
  return state.inTurn && !state.started && state.open.prompts.size === 0
    ? { ...state, inTurn: false, outcome: 'interrupted' }
    : state
}

export function startedTurn(state: SessionState, event: EventOf<'turn.started'>): SessionState {
  const { cliSessionId, cliVersion } = event
  const { model, permissionMode, workingDirectory } = { ...state, ...event }
  const version = cliVersion ?? state.cliVersion
  const turn = state.inTurn ? state : nextTurn(state)
  const cost = costForVersion(state.cost, cliVersion)
  // Another conversation has another context; 2.1.197 says so by nothing else.
  const isSame = state.cliSessionId === undefined || state.cliSessionId === cliSessionId
  const contextTokens = isSame ? state.contextTokens : undefined
  const reported = { cliSessionId, model, permissionMode, workingDirectory, contextTokens }
  const known = { ...turn, started: true, ...reported, cost }
  return version === undefined ? known : { ...known, cliVersion: version }
}

export function endedTurn(state: SessionState, event: EventOf<'turn.ended'>): SessionState {
  return {
    ...state,
    inTurn: false,
    started: false,
    outcome: event.outcome,
    error: event.error ?? (event.outcome === 'interrupted' ? state.overBudget : undefined),
  }
}

/** The next turn, which the child has not begun yet. */
export function nextTurn(state: SessionState): SessionState {
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
