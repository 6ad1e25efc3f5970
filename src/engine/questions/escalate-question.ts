import type { ApprovalKey, SessionKey } from '../../base/ids.ts'
import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Desk } from '../../approvals/desk.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import type { Store } from '../../sessions/record/store.ts'
import { ancestorSessions } from '../access/session-access.ts'
import { type ApprovalRef, findQuestion } from './answer-question.ts'
import { nextAbove, answererIdOf } from '../access/responsible-session.ts'

export interface Escalate {
  readonly approvalId: ApprovalKey
  readonly sessionId?: SessionKey | undefined
  /** For whoever answers next. */
  readonly note?: string | undefined
}

interface EscalateDeps {
  readonly store: Store
  readonly desk: Desk
  readonly supervisor: Supervisor
}

/** Hands a question to the next level above the caller. That level is responsible for it from then on. */
export async function escalateQuestion(
  deps: EscalateDeps,
  caller: Caller,
  { note, ...ref }: ApprovalRef & { readonly note?: string | undefined },
): Promise<Approval> {
  const { approval, session } = await findQuestion(deps, caller, ref)
  if (approval.status !== 'pending') throw alreadySettledError(approval)
  if (approval.kind === 'budget')
    throw new AppError(
      'invalid_input',
      'A question about a budget is put to the caller who started the tree already; nobody is above that.',
    )
  const above = await ancestorSessions(deps.store, session.parentId)
  const state = { personOnly: session.answerers === 'person', escalations: approval.escalations }
  const to = nextAbove(above, answererIdOf(caller), state)
  if (to === undefined)
    throw new AppError(
      'invalid_input',
      'Nobody is above the caller but the person it works for: ask that person, or answer the question.',
    )
  const questions = await deps.supervisor.questionsOf(session.id)
  await questions.escalate({ approvalId: approval.id, by: caller.name, to, ...definedFields({ note }) })
  return deps.desk.find(approval.id)
}
