import { type Answer, decisionFrom } from '../../approvals/answer.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grant.ts'
import { isGranted, type Remember, cliRulesOf } from '../../approvals/grant-rule.ts'
import { ruleText, suggestedRules } from '../../approvals/suggested-rules.ts'
import { isHarmlessTool } from '../../child/policy/harmless-tools.ts'
import { couldMatch } from '../../child/launch/tool-rule.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { modeOf } from './narrow-options.ts'

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
  const mode = modeOf(own.session)
  // With its plan approved a session leaves the mode that the one above it is in.
  if (mode === 'plan' && (approval.kind === 'plan' || !isHarmlessTool(toolName)))
    throw notYours('it is in plan mode itself')
  // There whatever would be asked is refused, but for what a rule allows; how the CLI reads a rule for less than a tool
  // is its own business.
  if (mode === 'dontAsk' && !ownRules(own).includes(toolName))
    throw notYours('in its own mode, dontAsk, this is refused to it')
  for (const input of [approval.input, decision.updatedInput])
    for (const rule of own.session.config.disallowedTools ?? [])
      if (couldMatch(rule, { toolName, input })) throw notYours(`${rule} is disallowed to itself`)
  if (answer.remember && !mayRemember(own, approval, answer.remember))
    throw new AppError(
      'forbidden',
      'A session may not allow once and for all what it is asked about itself; leave out remember, or hand it up with loopback_escalate.',
    )
}

/** The rules by which it is not asked itself. */
function ownRules({ session, grants }: Own): string[] {
  return [...(session.config.allowedTools ?? []), ...cliRulesOf(grants.map(({ rule }) => rule))]
}

/** Nor may others do unasked, once and for all, what it is asked about itself: the very call, and all that a rule matches. */
function mayRemember(own: Own, approval: Approval, remember: Remember): boolean {
  const has = ownRules(own)
  if (has.includes(approval.toolName)) return true
  const rules = remember === 'suggested' ? suggestedRules(approval).map(ruleText) : []
  return rules.every((rule) => has.includes(rule)) && own.grants.some(({ rule }) => isGranted(rule, approval))
}

function notYours(why: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not allow what it may not do, and ${why}; deny it, or hand it up with loopback_escalate.`,
  )
}
