import { alreadySettled } from '../approvals/already-settled.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Desk } from '../approvals/desk.ts'
import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionsAbove } from './access/session-access.ts'
import { type ApprovalRef, questionFor } from './answer-question.ts'
import { nextAbove, placeOf } from './access/responsible-session.ts'

interface EscalateDeps {
  readonly store: Store
  readonly desk: Desk
  readonly supervisor: Supervisor
}

/** Hands a question that one may answer to the next level above; from then on that level is responsible for it. */
export async function escalateFor(
  home: EscalateDeps,
  caller: Caller,
  { note, ...named }: ApprovalRef & { readonly note?: string | undefined },
): Promise<Approval> {
  const { approval, session } = await questionFor(home, caller, named)
  if (approval.status !== 'pending') throw alreadySettled(approval)
  const above = await sessionsAbove(home.store, session.parentId)
  const handed = { personOnly: session.answerers === 'person', escalations: approval.escalations }
  const to = nextAbove(above, placeOf(caller), handed)
  if (to === undefined)
    throw new AppError(
      'invalid_input',
      'There is nobody above you to hand this to but the person you work for: ask them, or answer it.',
    )
  const asking = await home.supervisor.wake(session.id)
  await asking.escalate({ approvalId: approval.id, by: caller.name, to, ...definedFields({ note }) })
  return home.desk.find(approval.id)
}
