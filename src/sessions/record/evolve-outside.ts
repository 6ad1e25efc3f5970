import { outsideEnd } from '../../child/state/outside-end.ts'
import type { EventOf } from '../../events/session-event.ts'
import { nextTurn } from './evolve-turn.ts'
import type { Outside } from './session.ts'
import type { SessionState } from './session-state.ts'

/** A process outside has the conversation; its time with it counts as a turn. */
export function handedOver(state: SessionState, event: EventOf<'session.handed_over'>): SessionState {
  return {
    ...(state.inTurn ? state : nextTurn(state)),
    started: true,
    stopped: false,
    outside: outsideOf(event),
    terminal: state.terminal || (event.found === true && !event.own && state.turn === 0),
  }
}

export function changedTerminal(state: SessionState, event: EventOf<'terminal.changed'>): SessionState {
  const { status, waitingFor } = event
  return state.outside?.to === 'terminal'
    ? { ...state, outside: { ...state.outside, status, waitingFor } }
    : state
}

export function returned(state: SessionState, event: EventOf<'session.returned'>): SessionState {
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
}

function outsideOf({ to, pid, startedAt, found }: EventOf<'session.handed_over'>): Outside {
  return { to, pid, startedAt, ...(found ? { found } : {}) }
}
