import type { ApprovalKey, SessionKey } from '../../base/ids.ts'
import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Desk } from '../../approvals/desk.ts'
import type { Approval } from '../../approvals/approval.ts'
import { AppError } from '../../base/errors.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import type { Store } from '../../sessions/record/store.ts'
import { findQuestion } from './answer-question.ts'

export interface Extend {
  readonly approvalId: ApprovalKey
  readonly sessionId?: SessionKey | undefined
  readonly seconds?: number | undefined
}

/** Gives a question more time, from now on: by default as long as its session gives to each question. */
export async function extendQuestion(
  deps: { readonly store: Store; readonly desk: Desk; readonly supervisor: Supervisor },
  caller: Caller,
  { seconds, ...named }: Extend,
): Promise<{ approval: Approval; session: Session }> {
  const { approval, session } = await findQuestion(deps, caller, named)
  if (approval.status !== 'pending') throw alreadySettledError(approval)
  const limitMs = approval.timeoutMs ?? session.timeoutMs
  if (limitMs === 0 || deps.desk.expiresAt(approval.id) === undefined)
    throw new AppError('invalid_input', 'This question has no time limit, so it needs no more time.')
  const ms = seconds === undefined ? limitMs : seconds * 1_000
  const questions = await deps.supervisor.questionsOf(session.id)
  await questions.extend({ approvalId: approval.id, by: caller.name, until: deps.desk.timeAfter(ms) })
  deps.desk.scheduleExpiry(approval.id, ms)
  return { approval, session }
}
