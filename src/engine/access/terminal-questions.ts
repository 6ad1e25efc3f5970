import type { Approval } from '../../approvals/approval.ts'
import { type Caller, mayAnswerTerminals } from '../../callers/access-rules.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Store } from '../../sessions/record/store.ts'

/** Whether this question, open or settled, is not for this caller: it is asked in the terminal of a person. */
export function isHidden({ carrier }: Pick<Approval, 'carrier'>, caller: Caller): boolean {
  return carrier === 'terminal' && !mayAnswerTerminals(caller)
}

/**
 * The store as a caller may read it. For a model and a client nothing is asked in terminals: nothing there ends a wait, and what
 * was asked is not in the events.
 */
export function storeFor(store: Store, caller: Caller): Store {
  if (mayAnswerTerminals(caller)) return store
  const { approvals, events, feed } = store
  return {
    ...store,
    approvals: {
      ...approvals,
      pending: async (sessionIds) =>
        (await approvals.pending(sessionIds)).filter((approval) => !isHidden(approval, caller)),
      settled: (query) => approvals.settled({ ...query, withoutTerminals: true }),
    },
    events: { ...events, read: async (...args) => (await events.read(...args)).map(visibleEvent) },
    feed: {
      ...feed,
      read: async (...args) => {
        const page = await feed.read(...args)
        return { ...page, steps: page.steps.map(visibleStep) }
      },
    },
  }
}

function visibleStep<T extends { readonly events: readonly StoredEvent[] }>(step: T): T {
  return { ...step, events: step.events.map(visibleEvent) }
}

/** It stays in its place, because `seq` has no gaps. */
function visibleEvent(stored: StoredEvent): StoredEvent {
  const { event } = stored
  if (event.type === 'approval.opened' && event.carrier === 'terminal') {
    const { suggestions: _, ...rest } = event
    return { ...stored, event: { ...rest, input: {} } }
  }
  if (event.type === 'approval.settled' && event.carrier === 'terminal') {
    const { decision: _, remembered: __, ...rest } = event
    return { ...stored, event: rest }
  }
  return stored
}
