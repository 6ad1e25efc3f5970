import type { ShellContext } from '../../shell/harmless.ts'
import { matchingRules } from '../../shell/matching-rules.ts'
import { commandOf, type ToolCall } from './hook-opinion.ts'
import type { SettingsRules } from './settings-rules.ts'
import { couldMatch } from '../launch/tool-rule.ts'

export interface AnsweringRule {
  readonly text: string
  /** The child was started with it as a flag, so the CLI allows the call without a question. */
  readonly isFlag: boolean
}

/**
 * The rule that answers a question which our hook forces, as text (several are one text); undefined if there is none. Our hook runs before the
 * CLI's rules, so without this a call would be asked about although the CLI has a rule that allows it.
 */
export function answeringRule(
  call: ToolCall,
  { allow, ask }: SettingsRules,
  place: ShellContext,
): AnsweringRule | undefined {
  if (ask.some((rule) => couldMatch(rule, call))) return undefined
  const ofTool = allow.flatMap(({ text, origin }) => {
    const [, name, content] = /^([^(]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
    return name === call.toolName ? [{ text, origin, content }] : []
  })
  const all = ofTool.find(({ content }) => content === undefined || /^[\s:*]*$/.test(content))
  if (all) return describeRules([all])
  const line = commandOf(call.input)
  if (line === undefined || call.toolName !== 'Bash') return undefined
  const contents = ofTool.map(({ content = '' }) => content)
  const used = matchingRules(line, contents, place)
  return used && describeRules(ofTool.filter(({ content = '' }) => used.includes(content)))
}

function describeRules(rules: readonly { text: string; origin: string }[]): AnsweringRule {
  return {
    text: rules.map(({ text, origin }) => `${text} of ${origin}`).join(' and '),
    isFlag: rules.every(({ origin }) => origin === FLAG_ORIGIN),
  }
}

/** The start option whose rules are flags of the child. */
export const FLAG_ORIGIN = 'allowedTools'
