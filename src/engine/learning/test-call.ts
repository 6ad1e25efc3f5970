import type { SessionKey } from '../../base/ids.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { callTyped } from '../../rules/call-text.ts'
import type { Verdict } from '../../rules/verdict.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { requireSession } from '../access/session-access.ts'

/** What would become of a call. */
export interface TestedCall extends Verdict {
  /** What our hook would answer: `none` leaves it to Claude Code whether it asks. */
  readonly hook: 'none' | 'ask' | 'deny'
  readonly digest?: string | undefined
}

export interface TestCall {
  readonly sessionId: SessionKey
  /** As a person writes it, such as `Bash(git push)` or `Read(src/a.ts)`. */
  readonly call: string
  /** The permission mode; by default the one that the session was started in. */
  readonly mode?: string | undefined
}

/** Judges a call as if the session made it now, by all rules that hold there. Nothing is run and nothing is stored. */
export async function testCall(
  { store, supervisor }: { readonly store: Store; readonly supervisor: Supervisor },
  caller: Caller,
  { sessionId, call, mode }: TestCall,
): Promise<TestedCall> {
  const { id } = await requireSession(store, caller, 'read', sessionId)
  const session = await supervisor.wake(id)
  const { workingDirectory, config } = session.session
  const made = { ...callTyped(call, workingDirectory), mode: mode ?? config.permissionMode ?? 'default' }
  const { opinion, verdict } = session.questions.test(made)
  return { ...(verdict ?? { effect: 'none' }), hook: opinion }
}
