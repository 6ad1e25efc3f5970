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
 * The CLI splits each value at commas and spaces outside parentheses, so `Read,Bash` would be two rules, while our checks
 * of the list saw one rule that is neither. For the CLI the first `)` ends the parentheses, whatever was opened inside:
 * `Bash(a (b) Bash (c))` contains a rule for all of Bash.
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

/**
 * Whether a rule could match a call. Rather too often than too seldom: of a rule for commands only the words are compared,
 * and of any other rule only the tool, because we do not know exactly how the CLI matches paths and addresses.
 */
export function couldMatch(rule: string, { toolName, input }: { toolName: string; input: unknown }): boolean {
  const [, name = '', text] = /^([^(]*)(?:\((.*)\))?$/s.exec(rule.trim()) ?? []
  const tool = groupOf(toolName)
  if (!isNameOf(groupOf(name), tool)) return false
  if (text === undefined || tool !== 'bash') return true
  const command = JSON.stringify(input)
  return text.split(/[^\w./-]+/).every((word) => command.includes(word))
}

/** The name in a rule is `*`, a tool, `mcp__server` for all tools of a server, or a name with wildcards. */
function isNameOf(name: string, tool: string): boolean {
  const start = name.split('*', 1)[0] ?? ''
  return start === name ? tool === name || tool.startsWith(`${name}__`) : tool.startsWith(start)
}

/** A rule for a tool that edits (or reads) files applies to all tools that do so. */
function groupOf(tool: string): string {
  const name = tool.trim().toLowerCase()
  if (['edit', 'write', 'multiedit', 'notebookedit'].includes(name)) return 'files'
  return ['read', 'grep', 'glob', 'ls', 'notebookread'].includes(name) ? 'reading' : name
}
