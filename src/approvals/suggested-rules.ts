import { z } from 'zod'

const Rule = z.object({ toolName: z.string(), ruleContent: z.string().optional() })
export type Rule = z.infer<typeof Rule>

const Suggested = z.object({
  type: z.literal('addRules'),
  behavior: z.literal('allow'),
  rules: z.array(Rule),
})

/**
 * What the CLI suggests to remember, as far as it is a rule that allows something: for a plain `touch` it also suggests
 * another mode, in which nobody would be asked about any edit. All of the rules or none, because a command of several parts
 * needs one for each. Pure.
 */
export function suggestedRules(suggestions: readonly unknown[] = []): Rule[] {
  const rules = suggestions.flatMap((one) => Suggested.safeParse(one).data?.rules ?? [])
  return rules.every(isPlain) ? rules : []
}

/** As it is written in a list of allowed tools. */
export function ruleText({ toolName, ruleContent }: Rule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
}

/** Read as this one rule wherever it is written, and not a rule for every command there is. */
function isPlain({ toolName, ruleContent }: Rule): boolean {
  if (!/^\w[\w-]*$/.test(toolName)) return false
  if (ruleContent === undefined) return !RUNS_COMMANDS.test(toolName)
  return !/[()\\]|\p{Cc}/u.test(ruleContent) && /[^\s:*]/.test(ruleContent)
}

const RUNS_COMMANDS = /^(Bash|PowerShell|Monitor|REPL)$/i
