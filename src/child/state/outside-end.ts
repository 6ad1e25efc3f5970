import type { ErrorInfo, EventOf } from '../../events/session-event.ts'

/** How the turn ends that a process outside Plexus had. What happened in a terminal is not known, so it is over. */
export function outsideEnd(
  to: EventOf<'session.handed_over'>['to'] | undefined,
  { exitCode = 0, signal, gone }: EventOf<'session.returned'>,
): { outcome: EventOf<'turn.ended'>['outcome']; error: ErrorInfo | undefined } {
  if (to !== 'command') return { outcome: 'done', error: undefined }
  if (gone || signal !== undefined || exitCode > SIGNALLED)
    return { outcome: 'interrupted', error: undefined }
  if (exitCode === 0) return { outcome: 'done', error: undefined }
  const message = `Claude Code ended with exit code ${exitCode}; what it printed is where plexus run was started.`
  return { outcome: 'failed', error: { code: 'cli_failed', message } }
}

/** Exit codes of a process that a signal ended, or that ended itself because of one, begin after this. */
const SIGNALLED = 128
