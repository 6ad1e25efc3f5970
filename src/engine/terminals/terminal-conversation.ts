import { SessionId } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { callerIdOf } from '../../callers/caller.ts'
import { SessionName, StartOptions } from '../../child/launch/start-options.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { LiveSession } from '../../sessions/live-session.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { isMarked } from '../../system/process-tree.ts'
import { identityOf, type ProcessIdentity } from '../../system/process-identity.ts'
import type { TerminalStatus } from '../../terminals/status-files.ts'

interface Deps {
  readonly store: Store
  readonly supervisor: Supervisor
}

/**
 * The session that is the conversation of a terminal: one that was handed over, one of ours that a person has opened there, or a
 * new one. Undefined if a process of ours is at work in it.
 */
export async function conversationOf(
  { store, supervisor }: Deps,
  status: TerminalStatus,
): Promise<LiveSession | undefined> {
  const id = SessionId.safeParse(status.sessionId).data
  const process = await identityOf(status.pid)
  if (!id || !process || (await isKeptByUs(supervisor, id, status.pid))) return undefined
  const attached = supervisor.attachedWith(id)
  if (!attached && !(await store.sessions.get(id)))
    return beginSession({ store, supervisor }, id, status, process)
  const live = attached ?? (await supervisor.wake(id))
  if (live.state.outside) return live
  return (await live.outside.found(process.pid, process.startedAt, { own: true })) ? live : undefined
}

/**
 * A process of ours that only waits for the next prompt is ended: it would know nothing of what is said in the terminal, and the
 * questions of the terminal would be seen by nobody. A process that a supervised session has started cannot end it by a file of
 * its own. A command that was allowed can write the file of another process of the user, and no check here could know that file
 * from a real one: then an idle process ends, which loses nothing and lets nothing run.
 */
async function isKeptByUs(supervisor: Supervisor, id: SessionId, pid: number): Promise<boolean> {
  const ours = supervisor.withConversation(id)
  return ours !== undefined && (isMarked(pid) || !(await ours.stopIfIdle(0)))
}

async function beginSession(
  { store, supervisor }: Deps,
  id: SessionId,
  { cwd, name }: TerminalStatus,
  process: ProcessIdentity,
): Promise<LiveSession> {
  const free = await freeName({ store, supervisor }, name)
  const options = StartOptions.parse({ workingDirectory: cwd, ...definedFields({ name: free }) })
  return supervisor.beginInTerminal({ id, options, owner: callerIdOf('operator', ''), timeoutMs: 0 }, process)
}

/** The CLI names its conversations, and two may have the same name. One that is over has no more use for it. */
async function freeName({ store, supervisor }: Deps, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || name.length > MAX_NAME || !SessionName.safeParse(name).success) return undefined
  const taken = await store.sessions.byName(name)
  if (!taken) return name
  if (!taken.terminal || taken.outside) return undefined
  await (await supervisor.wake(taken.id)).rename(undefined)
  return name
}

const MAX_NAME = 60
