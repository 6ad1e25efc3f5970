import type { Grant } from '../../approvals/grants/grant.ts'
import type { Remember } from '../../approvals/grants/remember.ts'
import { cliRuleText } from '../../approvals/grants/cli-rule.ts'
import { ruleText } from '../../rules/rule-text.ts'

/** A grant as callers see it. */
export interface GrantView extends Grant {
  /** Each of its rules as it is stored, in one line. */
  readonly texts: readonly string[]
  /** The exact call, and the suggested rules as Claude Code writes them; `toolName` is empty if an offered rule was remembered. */
  readonly rule: RememberedRule
}

interface RememberedRule {
  readonly toolName: string
  readonly subject: string
  readonly folder?: string | undefined
  readonly rules: readonly string[]
  readonly remember: Remember
}

export function grantView(grant: Grant): GrantView {
  const { rules, scope } = grant
  const exact = rules.find((rule) => rule.exact)?.exact ?? { toolName: '', subject: '' }
  const suggested = rules.filter((rule) => !rule.exact).map(cliRuleText)
  const remember = exact.toolName !== '' && suggested.length > 0 ? 'suggested' : scope
  return { ...grant, texts: rules.map(ruleText), rule: { ...exact, rules: suggested, remember } }
}
