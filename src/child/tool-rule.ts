import { z } from 'zod'
import { argumentText } from './argument-text.ts'

/** A list of rules such as `Write` or `Bash(git diff *)`, one per element. */
export function ToolRules(field: string) {
  return z.array(
    argumentText(field).refine(
      isOneRule,
      `${field} takes one rule per element, such as "Write" or "Bash(git diff *)"; split the element.`,
    ),
    { error: `${field} must be a list of texts.` },
  )
}

/**
 * The CLI cuts each value at commas and spaces outside parentheses, so `Read,Bash` would be two rules while
 * whoever judged the list saw one that is neither. For the CLI the first `)` ends the parentheses, whatever
 * was opened inside: `Bash(a (b) Bash (c))` holds a rule for all of Bash.
 */
export function isOneRule(text: string): boolean {
  let depth = 0
  let inside = false
  for (const char of text) {
    if (char === '(') {
      depth += 1
      inside = true
    } else if (char === ')') {
      depth -= 1
      inside = false
      if (depth < 0) return false
    } else if (!inside && (char === ',' || /\s/u.test(char))) return false
  }
  return depth === 0 && !text.startsWith('(')
}
