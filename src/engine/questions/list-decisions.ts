import type { CallerId, SessionKey } from '../../base/ids.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Desk } from '../../approvals/desk.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'
import { requireSession } from '../access/session-access.ts'
import { findQuestion } from './answer-question.ts'
import { descendantSessions, onlyVisible } from '../access/visible-sessions.ts'

export interface Decisions {
  readonly sessionId?: SessionKey | undefined
  /** With `sessionId`: also those of all sessions below it. */
  readonly below?: true | undefined
  /** 20 by default, at most 500. */
  readonly limit?: number | undefined
  /** The id of a question: only decisions on earlier questions. */
  readonly before?: string | undefined
}

interface DecisionDeps {
  readonly store: Store
  readonly desk: Desk
}

/** The settled questions of the sessions that the caller may read. */
export async function listDecisions(
  deps: DecisionDeps,
  caller: Caller,
  { sessionId, below, before, limit = 20 }: Decisions,
): Promise<Approval[]> {
  const { store } = deps
  const named = sessionId === undefined ? undefined : await requireSession(store, caller, 'read', sessionId)
  // Check `before` first: an unknown or unreadable question would silently end the list.
  const last =
    before === undefined ? undefined : await findQuestion(deps, caller, { approvalId: before }, 'read')
  return store.approvals.settled({
    ...(named
      ? { sessionIds: [named.id, ...(below ? await readableBelow(store, caller, named.id) : [])] }
      : await visibleFilter(store, caller)),
    before: last?.approval.id,
    limit: Math.min(limit, MAX_DECISIONS),
  })
}

async function readableBelow(store: Store, caller: Caller, id: SessionKey): Promise<SessionKey[]> {
  const below = (await descendantSessions(store, id)).map((session) => ({ sessionId: session.id }))
  return (await onlyVisible(store, caller, below)).map(({ sessionId }) => sessionId)
}

/** The sessions whose decisions the caller may read, as a filter. */
export async function visibleFilter(
  store: Store,
  caller: Caller,
): Promise<{ owner?: CallerId; sessionIds?: readonly SessionKey[] }> {
  switch (caller.kind) {
    case 'operator':
    case 'device':
      return {}
    case 'client':
      return { owner: caller.id }
    case 'session':
      return { sessionIds: (await descendantSessions(store, caller.name)).map(({ id }) => id) }
  }
}

const MAX_DECISIONS = 500
