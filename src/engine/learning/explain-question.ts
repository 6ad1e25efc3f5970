import { AppError } from '../../base/errors.ts'
import { type Caller, mayReadRecord } from '../../callers/access-rules.ts'
import type { Desk } from '../../approvals/desk.ts'
import type { Store } from '../../sessions/record/store.ts'
import { findQuestion } from '../questions/answer-question.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { endOf } from '../../approvals/ends/question-end.ts'
import { explainFromRecord, type Explanation } from './explain-from-record.ts'

export type { Explanation }

interface ExplainDeps {
  readonly store: Store
  readonly desk: Desk
}

/** Also for a question whose session was removed, or that retention has deleted: as long as the record has its rows. */
export async function explainQuestion(
  deps: ExplainDeps,
  caller: Caller,
  { approvalId }: { approvalId: string },
): Promise<Explanation> {
  try {
    const { approval } = await findQuestion(deps, caller, { approvalId }, 'read')
    const { id, status, by, via, settledAt, verdict } = approval
    const end = status === 'pending' ? undefined : endOf(approval)
    return {
      source: 'question',
      approvalId: id,
      status,
      ...definedFields({ end, by, via, at: settledAt, verdict }),
    }
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'not_found'
    const found =
      isGone && mayReadRecord(caller) ? await explainFromRecord(deps.store, approvalId) : undefined
    if (found) return found
    throw error
  }
}
