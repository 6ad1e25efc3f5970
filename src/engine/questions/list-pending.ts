import type { SessionId, SessionKey } from '../../base/ids.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'
import { requireSession } from '../access/session-access.ts'
import { ResponsibleLookup } from '../access/responsible-lookup.ts'
import { withoutHeldBack } from './held-back.ts'
import { onlyVisible } from '../access/visible-sessions.ts'

export interface Pending {
  readonly sessionId?: SessionKey | undefined
  /** Instead of the session's own questions: those from below it that the caller is to answer. */
  readonly below?: true | undefined
}

/** Open questions, without those that are held back from the caller. */
export async function listPending(store: Store, caller: Caller, input: Pending): Promise<Approval[]> {
  return withoutHeldBack(store, caller, await allPending(store, caller, input))
}

/** The same of one session that the caller is known to be allowed to read. */
export async function pendingIn(store: Store, caller: Caller, sessionId: SessionId): Promise<Approval[]> {
  return withoutHeldBack(store, caller, answerable(caller, await store.approvals.pending([sessionId])))
}

/** Open questions: of one session, or those the caller is to answer, in all sessions or below one. A person gets all. */
async function allPending(store: Store, caller: Caller, { sessionId, below }: Pending): Promise<Approval[]> {
  const named = sessionId === undefined ? undefined : await requireSession(store, caller, 'read', sessionId)
  if (named && !below) return answerable(caller, await store.approvals.pending([named.id]))
  const visible = await onlyVisible(store, caller, await store.approvals.pending())
  const responsible = new ResponsibleLookup(store)
  if (named) return responsible.questionsOf(caller, await responsible.below([named.id], visible))
  return caller.person ? visible : responsible.questionsOf(caller, visible)
}

/** A session answers about no budget, so it is shown none of these questions. */
function answerable(caller: Caller, asked: readonly Approval[]): Approval[] {
  return asked.filter(({ kind }) => kind !== 'budget' || caller.kind !== 'session')
}
