import { type Answer, decisionFrom } from '../approvals/answer.ts'
import type { Approval } from '../approvals/approval.ts'
import { isReadOnly } from '../child/hook-opinion.ts'
import { couldMatch } from '../child/tool-rule.ts'
import { AppError } from '../errors.ts'
import type { Session } from '../sessions/session.ts'

/** What a session may not do itself it may not allow below it either; whoever is above it may. Pure. */
export function requireOwnRight(own: Session, approval: Approval, answer: Answer): void {
  const decision = decisionFrom(approval, answer)
  if (decision.behavior !== 'allow' || approval.kind === 'question') return
  const { toolName } = approval
  const planning = (own.permissionMode ?? own.config.permissionMode) === 'plan'
  // With its plan approved a session leaves the mode that the one above it is in.
  if (planning && (approval.kind === 'plan' || !isReadOnly(toolName)))
    throw notYours('it is in plan mode itself')
  for (const input of [approval.input, decision.updatedInput])
    for (const rule of own.config.disallowedTools ?? [])
      if (couldMatch(rule, { toolName, input })) throw notYours(`${rule} is disallowed to itself`)
}

function notYours(why: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not allow what it may not do, and ${why}; deny it, or hand it up with loopback_escalate.`,
  )
}
