import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Desk } from '../../approvals/desk.ts'
import type { Approval } from '../../approvals/approval.ts'
import { AppError } from '../../base/errors.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { findQuestion } from './answer-question.ts'

export interface Extend {
  readonly approvalId: string
  readonly sessionId?: string | undefined
  readonly seconds?: number | undefined
}

/** Gives a question more time, from now on: by default as long as its session gives to each question. */
export async function extendQuestion(
  deps: { readonly store: Store; readonly desk: Desk },
  caller: Caller,
  { seconds, ...named }: Extend,
): Promise<{ approval: Approval; session: Session }> {
  const { approval, session } = await findQuestion(deps, caller, named)
  if (approval.status !== 'pending') throw alreadySettledError(approval)
  if (session.timeoutMs === 0 || deps.desk.expiresAt(approval.id) === undefined)
    throw new AppError('invalid_input', 'This question has no time limit, so it needs no more time.')
  deps.desk.scheduleExpiry(approval.id, seconds === undefined ? session.timeoutMs : seconds * 1_000)
  return { approval, session }
}
