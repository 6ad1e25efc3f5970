import { z } from 'zod'
import type { Approval } from './approval.ts'
import { ruleText, suggestedRules } from './suggested-rules.ts'

/**
 * What was remembered: this tool with this subject, to which we answer ourselves whenever it is asked again; and the rules
 * that the CLI suggested for it, by which it does not ask about such calls in the first place.
 */
export const GrantRule = z.object({
  toolName: z.string(),
  subject: z.string(),
  rules: z.array(z.string()).default([]),
})
export type GrantRule = z.infer<typeof GrantRule>

export function grantRuleOf({ toolName, input, suggestions }: Approval): GrantRule {
  const rules = suggestedRules(suggestions).map(ruleText)
  return { toolName, subject: subjectOf({ toolName, input }), rules }
}

export function isGranted(rule: unknown, call: { toolName: string; input: unknown }): boolean {
  const { toolName, subject } = GrantRule.safeParse(rule).data ?? {}
  return toolName === call.toolName && subject === subjectOf(call)
}

/** The rules for the CLI that come with these. */
export function rulesOf(remembered: readonly unknown[]): string[] {
  return [...new Set(remembered.flatMap((rule) => GrantRule.safeParse(rule).data?.rules ?? []))]
}

/**
 * What a call is about: of the CLI's own tools the command, file or address; of any other all of its input, for nobody knows
 * what else in it matters (the same address with another method, the same command outside its sandbox).
 */
function subjectOf({ toolName, input }: { toolName: string; input: unknown }): string {
  const { file_path: path, url } = Subject.safeParse(input).data ?? {}
  const whole = JSON.stringify(input)
  switch (toolName) {
    case 'Bash':
      return PlainCommand.safeParse(input).data?.command ?? whole
    case 'Read':
    case 'Write':
    case 'Edit':
      return path ?? whole
    case 'WebFetch':
      return url ?? whole
    default:
      return whole
  }
}

const PlainCommand = z.strictObject({
  command: z.string(),
  description: z.unknown().optional(),
  timeout: z.unknown().optional(),
})
const Subject = z.object({ file_path: z.string().optional(), url: z.string().optional() })
