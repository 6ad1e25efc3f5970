import type { Approval } from '../approvals/approval.ts'
import type { Desk } from '../approvals/desk.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionFor } from './access/session-access.ts'
import { questionFor } from './answer-question.ts'
import type { Decisions } from './engine.ts'
import { sessionsBelow } from './access/visible-sessions.ts'

interface DecisionDeps {
  readonly store: Store
  readonly desk: Desk
}

/** What was decided, as far as the caller may see the sessions that asked. */
export async function decisionsFor(
  home: DecisionDeps,
  caller: Caller,
  { sessionId, before, limit = 20 }: Decisions,
): Promise<Approval[]> {
  const { store } = home
  const named = sessionId === undefined ? undefined : await sessionFor(store, caller, 'read', sessionId)
  // A question that is gone, or not theirs to see, would silently be the end of the list.
  const last =
    before === undefined ? undefined : await questionFor(home, caller, { approvalId: before }, 'read')
  return store.approvals.settled({
    ...(named ? { sessionIds: [named.id] } : await visibleTo(store, caller)),
    before: last?.approval.id,
    limit: Math.min(limit, MOST),
  })
}

async function visibleTo(
  store: Store,
  caller: Caller,
): Promise<{ owner?: string; sessionIds?: readonly string[] }> {
  switch (caller.kind) {
    case 'operator':
      return {}
    case 'client':
      return { owner: caller.id }
    case 'session':
      return { sessionIds: (await sessionsBelow(store, caller.name)).map(({ id }) => id) }
  }
}

const MOST = 500
