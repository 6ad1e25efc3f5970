import type { Answer } from '../../approvals/answer.ts'
import type { Approval } from '../../approvals/approval.ts'
import { isHeldBackFrom, shownToOthers, shownToPerson } from '../../approvals/floods/person-view.ts'
import { AppError } from '../../base/errors.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'

/** What the caller is shown of open questions: a person not what is held back, others not the question that stands for it. */
export async function withoutHeldBack(
  store: Store,
  caller: Caller,
  open: readonly Approval[],
): Promise<Approval[]> {
  if (!isHeldBackFrom(caller)) return shownToOthers(open)
  const shows = new Map<string, boolean>()
  for (const { held, sessionId } of open)
    if (held && !shows.has(sessionId))
      shows.set(sessionId, (await store.sessions.get(sessionId))?.showsHeld === true)
  return shownToPerson(open, (id) => shows.get(id) === true)
}

/** How many questions each of these stands for. */
export async function heldCounts(store: Store, asked: readonly Approval[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { id, sessionId, flood } of asked)
    if (flood) {
      const open = await store.approvals.pending([sessionId])
      counts.set(id, open.filter(({ held }) => held).length)
    }
  return counts
}

/** Only a person answers for what is held back, and nothing of it is allowed before that person was shown it. */
export async function requireShown(
  store: Store,
  caller: Caller,
  approval: Approval,
  answer: Answer,
): Promise<void> {
  if (approval.flood && !caller.person)
    throw new AppError('forbidden', 'Only a person answers this; answer the questions themselves.')
  const isNo = answer.approve === false && answer.answers === undefined
  if (!approval.held || isNo || !isHeldBackFrom(caller)) return
  const open = await store.approvals.pending([approval.sessionId])
  const shown = await withoutHeldBack(store, caller, open)
  if (shown.some(({ id }) => id === approval.id)) return
  throw new AppError(
    'invalid_input',
    'This question is held back, because very many came at once; answer what is listed first.',
  )
}
