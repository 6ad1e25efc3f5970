import type { Answer } from '../approvals/answer.ts'
import type { Approval } from '../approvals/approval.ts'
import { type Desk, noSuchQuestion } from '../approvals/desk.ts'
import type { Identity } from '../callers/permission.ts'
import { AppError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { requireMode, sessionFor } from './access.ts'

interface Named {
  readonly approvalId: string
  readonly sessionId?: string | undefined
}

/** Answers a question for somebody who may: not for oneself, not as a model where a person is wanted. */
export async function answerFor(
  { store, desk }: { store: Store; desk: Desk },
  caller: Identity,
  { approvalId, sessionId }: Named,
  answer: Answer,
): Promise<Approval> {
  const named = sessionId === undefined ? undefined : await sessionFor(store, caller, 'answer', sessionId)
  const approval = await desk.find(approvalId, named?.id)
  const session = named ?? (await sessionOf(store, caller, approval))
  if (session.answerers === 'person' && !caller.person)
    throw new AppError(
      'forbidden',
      'Only a person may answer for this session; ask yours to do it in a terminal or in the dashboard.',
    )
  // A mode that comes with a yes is a change of mode like any other.
  if (answer.permissionMode !== undefined) await requireMode(store, caller, answer.permissionMode)
  return desk.answer(approval, answer, caller.name)
}

/** For who may not see the session there is no such question, and no id of it to be learned. */
function sessionOf(store: Store, caller: Identity, { id, sessionId }: Approval) {
  return sessionFor(store, caller, 'answer', sessionId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchQuestion(id) : error
  })
}
