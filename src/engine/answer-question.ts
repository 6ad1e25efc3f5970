import type { Answer } from '../approvals/answer.ts'
import { alreadySettled } from '../approvals/already-settled.ts'
import type { Answered, Approval } from '../approvals/approval.ts'
import { type Desk, noSuchQuestion } from '../approvals/desk.ts'
import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'
import { ancestorsOf, parentOf, requireMode, sessionFor } from './access/session-access.ts'
import { requireOwnRight } from './access/remember-limits.ts'
import { levelOf } from './access/responsible-session.ts'
import { WHERE_A_PERSON_ANSWERS } from './access/ask-target.ts'

interface AnswerDeps {
  readonly store: Store
  readonly desk: Desk
}

export interface ApprovalRef {
  readonly approvalId: string
  readonly sessionId?: string | undefined
}

/** Answers a question for somebody who may: not for oneself, not as a model where a person is wanted. */
export async function answerFor(
  home: AnswerDeps,
  caller: Caller,
  named: ApprovalRef,
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

/** A question that somebody may answer (or see), and the session that asks. */
export async function questionFor(
  { store, desk }: AnswerDeps,
  caller: Caller,
  { approvalId, sessionId }: ApprovalRef,
  verb: 'answer' | 'read' = 'answer',
): Promise<{ approval: Approval; session: Session }> {
  const named = sessionId === undefined ? undefined : await sessionFor(store, caller, verb, sessionId)
  const approval = await desk.find(approvalId, named?.id)
  return { approval, session: named ?? (await sessionOf(store, caller, approval, verb)) }
}

/** For who may not see the session there is no such question, and no id of it to be learned. */
function sessionOf(store: Store, caller: Caller, { id, sessionId }: Approval, verb: 'answer' | 'read') {
  return sessionFor(store, caller, verb, sessionId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchQuestion(id) : error
  })
}
