import { z } from 'zod'
import { couldAllowAnyCommand } from '../../shell/any-command-rule.ts'
import { type CliRule, type RuleSubject, subjectOfCliRule } from './cli-rule.ts'
import { suggestCommandRules } from './suggest-command-rule.ts'

const Suggested = z.object({
  type: z.literal('addRules'),
  behavior: z.literal('allow'),
  rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })),
})

/**
 * The rules that an answer may remember besides the call itself: those that the CLI suggests, or else for a command our own.
 * The answerer sees their text, and chooses them or not. Pure.
 */
export function suggestedRules({ kind, toolName, input, suggestions }: SuggestionSource): RuleSubject[] {
  if (kind !== 'tool') return []
  const rules = cliRules(suggestions)
  if (rules.length > 0 || toolName !== 'Bash') return rules
  return ruleSubjects(suggestCommandRules(commandIn(input)).map((ruleContent) => ({ toolName, ruleContent })))
}

/** Empty if there is none. */
function commandIn(input: unknown): string {
  const hasCommand = typeof input === 'object' && input !== null && 'command' in input
  return hasCommand && typeof input.command === 'string' ? input.command : ''
}

/** As much of a question as rules are suggested from. */
export interface SuggestionSource {
  readonly kind: string
  readonly toolName: string
  readonly input: unknown
  readonly suggestions?: readonly unknown[] | undefined
}

/**
 * The allow rules among the CLI's suggestions: for a plain `touch` it also suggests another mode, in which nobody would be
 * asked about any edit.
 */
function cliRules(suggestions: readonly unknown[] = []): RuleSubject[] {
  const rules = suggestions.flatMap((suggestion) => Suggested.safeParse(suggestion).data?.rules ?? [])
  return rules.every(isSafeRule) ? ruleSubjects(rules) : []
}

/** All of the rules or none, because a command of several parts needs a rule for each part. */
function ruleSubjects(rules: readonly CliRule[]): RuleSubject[] {
  const subjects = rules.flatMap((rule) => subjectOfCliRule(rule) ?? [])
  return subjects.length === rules.length ? subjects : []
}

/** Whether the text parses as this one rule, is short and visible enough for a person to read, and cannot allow any command. */
function isSafeRule({ toolName, ruleContent }: CliRule): boolean {
  const text = ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
  if (!/^\w[\w-]*$/.test(toolName) || text.length > MAX_CHARACTERS) return false
  return !/[()\\]|\p{C}/u.test(ruleContent ?? '') && !couldAllowAnyCommand(text)
}

const MAX_CHARACTERS = 500
