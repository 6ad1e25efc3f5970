import type { Answer } from '../approvals/answer.ts'
import { alreadySettled } from '../approvals/already-settled.ts'
import type { Answered, Approval } from '../approvals/approval.ts'
import { type Desk, noSuchQuestion } from '../approvals/desk.ts'
import type { Identity } from '../callers/permission.ts'
import { AppError } from '../errors.ts'
import type { Session } from '../sessions/session.ts'
import type { Store } from '../store/store.ts'
import { ancestorsOf, parentOf, requireMode, sessionFor } from './access.ts'
import { requireOwnRight } from './own-right.ts'
import { levelOf } from './responsible.ts'
import { WHERE_A_PERSON_ANSWERS } from './who-is-asked.ts'

interface Home {
  readonly store: Store
  readonly desk: Desk
}

export interface Named {
  readonly approvalId: string
  readonly sessionId?: string | undefined
}

/** Answers a question for somebody who may: not for oneself, not as a model where a person is wanted. */
export async function answerFor(
  home: Home,
  caller: Identity,
  named: Named,
  answer: Answer,
): Promise<Answered> {
  const { store, desk } = home
  const { approval, session } = await questionFor(home, caller, named)
  if (approval.status !== 'pending') throw alreadySettled(approval)
  if (session.answerers === 'person' && !caller.person)
    throw new AppError('forbidden', `Only a person may answer for this session: ${WHERE_A_PERSON_ANSWERS}.`)
  // A mode that comes with a yes is a change of mode like any other.
  if (answer.permissionMode !== undefined) await requireMode(store, caller, answer.permissionMode)
  if (caller.kind === 'session') {
    const own = { session: await parentOf(store, caller), grants: await store.grants.ofSession(caller.name) }
    requireOwnRight(own, approval, answer)
  }
  const level = levelOf(caller, await ancestorsOf(store, session.parentId))
  return desk.answer(approval, answer, caller.name, { level, via: caller.via })
}

/** A question that somebody may answer, and the session that asks. */
export async function questionFor(
  { store, desk }: Home,
  caller: Identity,
  { approvalId, sessionId }: Named,
): Promise<{ approval: Approval; session: Session }> {
  const named = sessionId === undefined ? undefined : await sessionFor(store, caller, 'answer', sessionId)
  const approval = await desk.find(approvalId, named?.id)
  return { approval, session: named ?? (await sessionOf(store, caller, approval)) }
}

/** For who may not see the session there is no such question, and no id of it to be learned. */
function sessionOf(store: Store, caller: Identity, { id, sessionId }: Approval) {
  return sessionFor(store, caller, 'answer', sessionId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchQuestion(id) : error
  })
}
