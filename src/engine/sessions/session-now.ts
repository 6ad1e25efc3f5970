import type { Session } from '../../sessions/record/session.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'

/** A session as it is stored, with what only the hub knows of it now. */
export interface SessionNow extends Session {
  /** Of its Claude Code process; absent while it has none. */
  readonly pid?: number | undefined
}

export async function withPids(
  supervisor: Pick<Supervisor, 'pids'>,
  sessions: readonly Session[],
): Promise<SessionNow[]> {
  const pids = await supervisor.pids()
  return sessions.map((session) => {
    const pid = pids.get(session.id)
    return pid === undefined ? session : { ...session, pid }
  })
}
