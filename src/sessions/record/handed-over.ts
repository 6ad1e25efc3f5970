import type { EventOf } from '../../events/session-event.ts'
import type { SessionState } from './session-state.ts'

/** The turn has begun with the process outside: it does not report its own. */
export function handedOver(turn: SessionState, event: EventOf<'session.handed_over'>): SessionState {
  const { to, pid, startedAt } = event
  return { ...turn, started: true, stopped: false, outside: { to, pid, startedAt } }
}

/** The turn ends with the process. A command is over for good; a conversation that was in a terminal is idle here again. */
export function returned(state: SessionState, event: EventOf<'session.returned'>): SessionState {
  return {
    ...state,
    ...endOf(state, event),
    outside: undefined,
    inTurn: false,
    started: false,
    stopped: state.outside?.to === 'command',
    cliSessionId: event.cliSessionId ?? state.cliSessionId,
    // Both may have changed there.
    contextTokens: undefined,
    assistantUuid: undefined,
  }
}

function endOf(
  { outside }: SessionState,
  { exitCode = 0, signal, gone }: EventOf<'session.returned'>,
): Pick<SessionState, 'outcome' | 'error'> {
  if (outside?.to !== 'command') return { outcome: 'done', error: undefined }
  if (gone || signal !== undefined || exitCode > SIGNALLED)
    return { outcome: 'interrupted', error: undefined }
  if (exitCode === 0) return { outcome: 'done', error: undefined }
  const message = `Claude Code ended with exit code ${exitCode}; what it printed is where plexus run was started.`
  return { outcome: 'failed', error: { code: 'cli_failed', message } }
}

/** Exit codes of a process that a signal ended, or that ended itself because of one, begin after this. */
const SIGNALLED = 128
