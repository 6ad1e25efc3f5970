import { type Answer, decisionFrom } from '../approvals/answer.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Grant } from '../approvals/grant.ts'
import { grantRuleOf, isGranted, rulesOf } from '../approvals/grant-rule.ts'
import { isHarmlessTool } from '../child/known-tools.ts'
import { couldMatch } from '../child/tool-rule.ts'
import { AppError } from '../errors.ts'
import type { Session } from '../sessions/session.ts'

/** The session that answers, and what was remembered for itself. */
interface Own {
  readonly session: Session
  readonly grants: readonly Pick<Grant, 'rule'>[]
}

/** What a session may not do itself it may not allow below it either; whoever is above it may. Pure. */
export function requireOwnRight(own: Own, approval: Approval, answer: Answer): void {
  const decision = decisionFrom(approval, answer)
  if (decision.behavior !== 'allow' || approval.kind === 'question') return
  const { toolName } = approval
  const planning = (own.session.permissionMode ?? own.session.config.permissionMode) === 'plan'
  // With its plan approved a session leaves the mode that the one above it is in.
  if (planning && (approval.kind === 'plan' || !isHarmlessTool(toolName)))
    throw notYours('it is in plan mode itself')
  for (const input of [approval.input, decision.updatedInput])
    for (const rule of own.session.config.disallowedTools ?? [])
      if (couldMatch(rule, { toolName, input })) throw notYours(`${rule} is disallowed to itself`)
  if (answer.remember && !mayRemember(own, approval))
    throw new AppError(
      'forbidden',
      'A session may not allow once and for all what it is asked about itself; leave out remember, or hand it up with loopback_escalate.',
    )
}

/** Nor may others do unasked, once and for all, what it is asked about itself. */
function mayRemember({ session, grants }: Own, approval: Approval): boolean {
  const remembered = grants.map(({ rule }) => rule)
  const { rules } = grantRuleOf(approval)
  const own = [...(session.config.allowedTools ?? []), ...rulesOf(remembered)]
  if (rules.length > 0) return rules.every((rule) => own.includes(rule))
  return remembered.some((rule) => isGranted(rule, approval))
}

function notYours(why: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not allow what it may not do, and ${why}; deny it, or hand it up with loopback_escalate.`,
  )
}
