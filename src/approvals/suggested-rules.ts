import { z } from 'zod'
import { couldAllowAnyCommand } from '../shell/any-command-rule.ts'
import type { Approval } from './approval.ts'
import { ownSuggestion } from './suggest-command-rule.ts'

const Rule = z.object({ toolName: z.string(), ruleContent: z.string().optional() })
export type Rule = z.infer<typeof Rule>

const Suggested = z.object({
  type: z.literal('addRules'),
  behavior: z.literal('allow'),
  rules: z.array(Rule),
})
const Command = z.object({ command: z.string() })

/**
 * The rules that could be remembered with an answer, besides the call itself: what the CLI suggests, or else for a command
 * what we do. Whoever answers is shown their text, and chooses them or not. Pure.
 */
export function suggestedRules({ kind, toolName, input, suggestions }: Suggesting): Rule[] {
  if (kind !== 'tool') return []
  const rules = ofCli(suggestions)
  if (rules.length > 0 || toolName !== 'Bash') return rules
  const { command = '' } = Command.safeParse(input).data ?? {}
  return ownSuggestion(command).map((ruleContent) => ({ toolName, ruleContent }))
}

type Suggesting = Pick<Approval, 'kind' | 'toolName' | 'input' | 'suggestions'>

/**
 * What the CLI suggests, as far as it is a rule that allows something: for a plain `touch` it also suggests another mode,
 * in which nobody would be asked about any edit. All of the rules or none, because a command of several parts needs one
 * for each.
 */
function ofCli(suggestions: readonly unknown[] = []): Rule[] {
  const rules = suggestions.flatMap((one) => Suggested.safeParse(one).data?.rules ?? [])
  return rules.every(isPlain) ? rules : []
}

/** As it is written in a list of allowed tools. */
export function ruleText({ toolName, ruleContent }: Rule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
}

/** Read as this one rule wherever it is written, short enough and visible enough to be read, and not open to any command. */
function isPlain(rule: Rule): boolean {
  const text = ruleText(rule)
  if (!/^\w[\w-]*$/.test(rule.toolName) || text.length > MOST_CHARACTERS) return false
  return !/[()\\]|\p{C}/u.test(rule.ruleContent ?? '') && !couldAllowAnyCommand(text)
}

const MOST_CHARACTERS = 500
