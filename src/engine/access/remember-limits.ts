import { type Answer, decisionFrom } from '../../approvals/answer.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import { cliRuleText, type RuleSubject } from '../../approvals/grants/cli-rule.ts'
import { suggestedRules } from '../../approvals/grants/suggested-rules.ts'
import { isExactly } from '../../rules/exact/exact-call.ts'
import type { Rule } from '../../rules/rule.ts'
import { isWithin } from '../../shell/path-bounds.ts'
import { isSameJson } from '../../text/same-json.ts'
import { isHarmlessTool } from '../../child/policy/harmless-tools.ts'
import { couldMatch } from '../../child/launch/tool-rule.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { modeOf } from './narrow-options.ts'

/** The session that answers, and the grants that hold in it. */
interface Answerer {
  readonly session: Session
  readonly grants: readonly Pick<Grant, 'rules' | 'scope' | 'endsAt'>[]
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
  if (mode === 'dontAsk' && !hasWholeTool(own, toolName))
    throw notAllowedToSelf('its own mode, dontAsk, refuses this call')
  for (const input of [approval.input, decision.updatedInput])
    for (const rule of own.session.config.disallowedTools ?? [])
      if (couldMatch(rule, { toolName, input }))
        throw notAllowedToSelf(`its own disallowedTools include ${rule}`)
  if (answer.remember && !mayRemember(own, approval, answer))
    throw new AppError(
      'forbidden',
      'A session may not remember an answer for calls that it is asked about itself; leave out remember, or escalate the question.',
    )
}

function hasWholeTool({ session, grants }: Answerer, toolName: string): boolean {
  if (session.config.allowedTools?.includes(toolName)) return true
  return grants.some(({ rules }) => rules.some((rule) => isAbout(rule, { tool: [toolName] })))
}

/** It may remember only what it may do unasked itself, for as long: this exact call, and every rule that comes with it. */
function mayRemember(own: Answerer, approval: Approval, { remember, rememberRule }: Answer): boolean {
  if (rememberRule !== undefined) return false
  const { allowedTools = [] } = own.session.config
  if (allowedTools.includes(approval.toolName)) return true
  const lasting = own.grants.filter(({ scope, endsAt }) => scope !== 'turn' && endsAt === undefined)
  const rules = lasting.flatMap((grant) => grant.rules)
  const suggested = remember === 'suggested' ? suggestedRules(approval) : []
  return (
    rules.some((rule) => coversCall(rule, approval)) &&
    suggested.every(
      (subject) =>
        allowedTools.includes(cliRuleText(subject)) || rules.some((rule) => isAbout(rule, subject)),
    )
  )
}

function coversCall({ exact, folder }: Rule, approval: Approval): boolean {
  if (!exact || !isExactly(exact, approval)) return false
  return folder === undefined || (approval.cwd !== undefined && isWithin(approval.cwd, folder))
}

function isAbout({ tool, command, path, host, exact }: Rule, subject: RuleSubject): boolean {
  return exact === undefined && isSameJson({ tool, command, path, host }, subject)
}

function notAllowedToSelf(why: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not allow what it may not do itself, and ${why}; deny the question, or escalate it.`,
  )
}
