import { type Answer, decisionFrom } from '../../approvals/answer.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import { isGranted, type Remember, cliRulesOf } from '../../approvals/grants/remember.ts'
import { ruleText, suggestedRules } from '../../approvals/grants/suggested-rules.ts'
import { isHarmlessTool } from '../../child/policy/harmless-tools.ts'
import { couldMatch } from '../../child/launch/tool-rule.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { modeOf } from './narrow-options.ts'

/** The session that answers, and its own grants. */
interface Answerer {
  readonly session: Session
  readonly grants: readonly Pick<Grant, 'rule'>[]
}

/** A session may not allow a session below it to do what it may not do itself; a session above it may. */
export function requireOwnPermission(own: Answerer, approval: Approval, answer: Answer): void {
  const decision = decisionFrom(approval, answer)
  if (decision.behavior !== 'allow' || approval.kind === 'question') return
  const { toolName } = approval
  const mode = modeOf(own.session)
  // An approved plan would take the child out of plan mode, in which its parent still is.
  if (mode === 'plan' && (approval.kind === 'plan' || !isHarmlessTool(toolName)))
    throw notAllowedToSelf('this session is in plan mode itself')
  // In dontAsk the CLI refuses every call that no rule allows. Only a rule for the whole tool counts here, because only
  // the CLI knows how it matches narrower rules.
  if (mode === 'dontAsk' && !ownRules(own).includes(toolName))
    throw notAllowedToSelf('its own mode, dontAsk, refuses this call')
  for (const input of [approval.input, decision.updatedInput])
    for (const rule of own.session.config.disallowedTools ?? [])
      if (couldMatch(rule, { toolName, input }))
        throw notAllowedToSelf(`its own disallowedTools include ${rule}`)
  if (answer.remember && !mayRemember(own, approval, answer.remember))
    throw new AppError(
      'forbidden',
      'A session may not remember an answer for calls that it is asked about itself; leave out remember, or escalate the question.',
    )
}

/** The rules by which the answering session is not asked itself. */
function ownRules({ session, grants }: Answerer): string[] {
  return [...(session.config.allowedTools ?? []), ...cliRulesOf(grants.map(({ rule }) => rule))]
}

/** It may remember only what it may do unasked itself: this exact call, and every rule that comes with it. */
function mayRemember(own: Answerer, approval: Approval, remember: Remember): boolean {
  const has = ownRules(own)
  if (has.includes(approval.toolName)) return true
  const rules = remember === 'suggested' ? suggestedRules(approval).map(ruleText) : []
  return rules.every((rule) => has.includes(rule)) && own.grants.some(({ rule }) => isGranted(rule, approval))
}

function notAllowedToSelf(why: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not allow what it may not do itself, and ${why}; deny the question, or escalate it.`,
  )
}
