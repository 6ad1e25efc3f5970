import { commandPatternOf } from '../command-pattern.ts'
import { isLiteral } from '../paths/glob.ts'
import type { Rule } from '../rule.ts'
import { ruleText } from '../rule-text.ts'
import type { NotSaid } from './settings-import.ts'

export interface Exported {
  readonly permissions: { readonly allow: string[]; readonly ask: string[]; readonly deny: string[] }
  readonly notSaid: readonly NotSaid[]
}

type Said = string[] | { readonly reason: string }

/**
 * Rules as permission rules of Claude Code, where those say the same of a command; the rest is named. Claude Code denies
 * first, then asks, then allows: a rule that comes before a stricter one about the same thing is therefore not said. Pure.
 */
export function exportRules(rules: readonly Rule[]): Exported {
  const permissions = { allow: [] as string[], ask: [] as string[], deny: [] as string[] }
  const notSaid: NotSaid[] = []
  for (const [index, rule] of rules.entries()) {
    const said = isOverruled(rule, rules.slice(index + 1)) ? ORDER : saidBy(rule)
    if ('reason' in said) notSaid.push({ rule: `${rule.id}: ${ruleText(rule)}`, reason: said.reason })
    else permissions[rule.effect === 'forbid' ? 'deny' : rule.effect].push(...said)
  }
  return { permissions, notSaid }
}

function saidBy(rule: Rule): Said {
  const { tool, command, path, host, mcp, effect, redirect } = rule
  const condition = CONDITIONS.find((name) => rule[name] !== undefined)
  if (condition !== undefined) return { reason: `has ${condition}, which Claude Code cannot say` }
  if (redirect === 'inside') return { reason: 'has redirect, which Claude Code cannot say' }
  if (command) return path || host || mcp ? BOTH : commandRules(command)
  if (mcp) return tool || path || host ? BOTH : mcpRules(mcp)
  const tools = (tool ?? []).flatMap((text) => text.split('|').map((name) => name.trim()))
  if (tools.some((name) => /[*\\]/.test(name))) return { reason: 'names tools by a wildcard' }
  if (host) return tools.length === 1 && tools[0] === 'WebFetch' && !path ? hostRules(host) : BOTH
  if (!path) return tools.length === 0 ? { reason: 'names no tool' } : tools
  return effect === 'allow'
    ? { reason: 'leaves out names such as .git below its path, which Claude Code cannot say' }
    : { reason: 'also finds its path in commands, which Claude Code cannot say' }
}

/** Words, and a star as the last of them. */
function commandRules(patterns: readonly string[]): Said {
  const rules: string[] = []
  for (const text of patterns) {
    const { tokens } = commandPatternOf(text)
    const isOpen = tokens.at(-1) === 'any words'
    let lines: string[][] = [[]]
    for (const token of isOpen ? tokens.slice(0, -1) : tokens) {
      if (token === 'any words' || !token.every(isLiteral))
        return { reason: 'has a wildcard that is not its last word' }
      const words = token.map(([word = '']) => word)
      if (words.some((word) => !PLAIN.test(word))) return { reason: 'has a word with special characters' }
      lines = lines.flatMap((line) => words.map((word) => [...line, word]))
      if (lines.length > MAX_LINES) return { reason: 'has too many alternatives' }
    }
    rules.push(...lines.map((line) => `Bash(${[...line, ...(isOpen ? ['*'] : [])].join(' ')})`))
  }
  return rules
}

function hostRules(hosts: readonly string[]): Said {
  return hosts.every((host) => /^[\w.-]+$/.test(host))
    ? hosts.map((host) => `WebFetch(domain:${host})`)
    : { reason: 'names hosts by a wildcard' }
}

function mcpRules({ server, tool }: NonNullable<Rule['mcp']>): Said {
  if (/[*\\]/.test(server) || tool?.some((name) => /[*\\]/.test(name)))
    return { reason: 'names tools by a wildcard' }
  return tool ? tool.map((name) => `mcp__${server}__${name}`) : [`mcp__${server}`]
}

/** A later rule that is stricter could be about the same call, and Claude Code would put it first. */
function isOverruled(rule: Rule, later: readonly Rule[]): boolean {
  const strictness = STRICTNESS[rule.effect]
  return later.some((other) => STRICTNESS[other.effect] > strictness && isSameSubject(rule, other))
}

function isSameSubject(a: Rule, b: Rule): boolean {
  if (a.command && b.command) {
    const [x, y] = [a, b].map(({ command = [] }) => command.map((text) => commandPatternOf(text).tokens[0]))
    return (x ?? []).some((one) => (y ?? []).some((two) => couldBeSame(one, two)))
  }
  if (a.mcp && b.mcp) return a.mcp.server === b.mcp.server
  return (
    !(a.command && (b.mcp || b.host)) &&
    !(b.command && (a.mcp || a.host)) &&
    !(a.mcp && b.host) &&
    !(b.mcp && a.host)
  )
}

type Token = ReturnType<typeof commandPatternOf>['tokens'][number] | undefined

function couldBeSame(a: Token, b: Token): boolean {
  if (a === undefined || b === undefined || a === 'any words' || b === 'any words') return true
  return a.some((x) => b.some((y) => !isLiteral(x) || !isLiteral(y) || x[0] === y[0]))
}

const CONDITIONS = [
  'folder',
  'mode',
  'caller',
  'session',
  'tree',
  'expires',
  'exact',
  'turn',
  'answerers',
  'timeout',
] as const
const STRICTNESS = { allow: 0, ask: 1, deny: 2, forbid: 2 } as const
const ORDER = { reason: 'comes before a stricter rule, which Claude Code would put first' }
const BOTH = { reason: 'has several conditions, which Claude Code cannot say together' }
const PLAIN = /^[\w.,:/@%+=-]+$/
const MAX_LINES = 20
