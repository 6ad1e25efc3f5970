import type { Approval } from '../approvals/approval.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionFor } from './access/session-access.ts'
import type { Pending } from './engine.ts'
import { ResponsibleLookup } from './access/responsible-lookup.ts'
import { onlyVisible } from './access/visible-sessions.ts'

/** Of one session; or what falls to the caller, in all sessions or below one. A person is shown all. */
export async function pendingFor(
  store: Store,
  caller: Caller,
  { sessionId, below }: Pending,
): Promise<Approval[]> {
  const named = sessionId === undefined ? undefined : await sessionFor(store, caller, 'read', sessionId)
  if (named && !below) return store.approvals.pending([named.id])
  const visible = await onlyVisible(store, caller, await store.approvals.pending())
  const responsibility = new ResponsibleLookup(store)
  if (named) return responsibility.questionsOf(caller, await responsibility.below([named.id], visible))
  return caller.person ? visible : responsibility.questionsOf(caller, visible)
}
