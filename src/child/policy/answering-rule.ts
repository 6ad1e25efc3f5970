import type { ShellContext } from '../../shell/harmless.ts'
import { matchingRules } from '../../shell/matching-rules.ts'
import { commandOf, type ToolCall } from './hook-opinion.ts'
import type { SettingsRules } from './settings-rules.ts'
import { couldMatch } from '../launch/tool-rule.ts'

/**
 * The rule that answers a question which our hook forces, in words; undefined if there is none. The CLI would not have asked
 * where such a rule holds, and our hook comes before it.
 */
export function answeringRule(
  call: ToolCall,
  { allow, ask }: SettingsRules,
  place: ShellContext,
): string | undefined {
  if (ask.some((rule) => couldMatch(rule, call))) return undefined
  const ofTool = allow.flatMap(({ text, origin }) => {
    const [, name, content] = /^([^(]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
    return name === call.toolName ? [{ text, origin, content }] : []
  })
  const all = ofTool.find(({ content }) => content === undefined || /^[\s:*]*$/.test(content))
  if (all) return inWords([all])
  const line = commandOf(call.input)
  if (line === undefined || call.toolName !== 'Bash') return undefined
  const contents = ofTool.map(({ content = '' }) => content)
  const used = matchingRules(line, contents, place)
  return used && inWords(ofTool.filter(({ content = '' }) => used.includes(content)))
}

function inWords(rules: readonly { text: string; origin: string }[]): string {
  return rules.map(({ text, origin }) => `${text} of ${origin}`).join(' and ')
}
