import { z } from 'zod'
import type { Approval } from './approval.ts'

/**
 * What was remembered. Where the CLI suggested a rule, it keeps it itself and asks no more. Where our own hook forced the
 * question there is no suggestion, and the CLI would be made to ask again: then we keep the very thing that was allowed, this
 * tool with this subject, and our hook has no opinion when it comes again.
 */
export const GrantRule = z.discriminatedUnion('kept', [
  z.object({ kept: z.literal('by the CLI'), suggestions: z.array(z.unknown()) }),
  z.object({ kept: z.literal('by our hook'), toolName: z.string(), subject: z.string() }),
])
export type GrantRule = z.infer<typeof GrantRule>

export function grantRuleOf({ toolName, input, suggestions = [] }: Approval): GrantRule {
  if (suggestions.length > 0) return { kept: 'by the CLI', suggestions: [...suggestions] }
  return { kept: 'by our hook', toolName, subject: subjectOf({ toolName, input }) }
}

export function isGranted(rules: readonly unknown[], call: { toolName: string; input: unknown }): boolean {
  return rules.some((one) => {
    const rule = GrantRule.safeParse(one).data
    return rule?.kept === 'by our hook' && rule.toolName === call.toolName && rule.subject === subjectOf(call)
  })
}

/**
 * What a call is about: of the CLI's own tools the command, file or address; of any other all of its input, for nobody knows
 * what else in it matters (the same address with another method).
 */
function subjectOf({ toolName, input }: { toolName: string; input: unknown }): string {
  const { command, file_path: path, url } = Subject.safeParse(input).data ?? {}
  const whole = JSON.stringify(input)
  switch (toolName) {
    case 'Bash':
      return command ?? whole
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

const Subject = z.object({
  command: z.string().optional(),
  file_path: z.string().optional(),
  url: z.string().optional(),
})
