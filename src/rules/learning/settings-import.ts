import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { CHANGING_TOOLS } from '../../shell/file-tools.ts'
import { problemOf } from '../check-rule.ts'
import { FileRule, type Rule } from '../rule.ts'
import { withId } from './rule-id.ts'
import { commandPatterns } from './settings-commands.ts'
import { pathPattern } from './settings-paths.ts'

/** A rule of Claude Code that ours cannot say, and why. */
export interface NotSaid {
  readonly rule: string
  readonly reason: string
}

export interface Imported {
  /** In the order in which Claude Code applies them: what denies, what asks, what allows. */
  readonly rules: readonly Rule[]
  readonly notSaid: readonly NotSaid[]
}

type Effect = 'deny' | 'ask' | 'allow'
type Content = Omit<Rule, 'id' | 'effect' | 'because'>

/**
 * The permission rules of a settings file of Claude Code as rules of ours. A rule that allows is never wider than it was, a
 * rule that denies or asks never narrower; what cannot be said so is named. Pure.
 */
export function importSettings(text: string): Imported {
  const { permissions } = settingsIn(text)
  const rules: Rule[] = []
  const notSaid: NotSaid[] = []
  for (const effect of EFFECTS)
    for (const written of permissions[effect]) {
      const rule = ruleFrom(written, effect)
      if ('reason' in rule) notSaid.push({ rule: `${effect} ${written}`, reason: rule.reason })
      else if (!rules.some(({ id }) => id === rule.id)) rules.push(rule)
    }
  for (const [name, value] of Object.entries(permissions))
    if (!EFFECTS.some((effect) => effect === name) && value !== undefined)
      notSaid.push({ rule: name, reason: 'is no rule about a call' })
  return { rules, notSaid }
}

function ruleFrom(written: string, effect: Effect): Rule | { readonly reason: string } {
  const content = contentOf(written, effect)
  if ('reason' in content) return content
  const because = effect === 'deny' ? { because: `Claude Code's settings deny ${written}.` } : {}
  const rule = withId({ ...content, effect, ...because }, 'cc')
  const problem = problemOf(rule)
  if (problem !== undefined) return { reason: problem }
  return FileRule.safeParse(rule).success ? rule : { reason: 'has a text that a rule cannot hold' }
}

function contentOf(written: string, effect: Effect): Content | { readonly reason: string } {
  const [, tool = '', inner] = /^([^()]+)(?:\(([^]*)\))?$/.exec(written.trim()) ?? []
  if (tool === '') return { reason: 'is not a rule that we can read' }
  if (tool.startsWith('mcp__')) return inner === undefined ? mcpContent(tool) : { reason: OTHER }
  if (inner === undefined || inner.trim() === '*') return { tool: familyOf(tool) ?? [literal(tool)] }
  if (tool === 'Bash') return commandPatterns(inner, effect)
  if (tool === 'WebFetch') return hostContent(inner, effect)
  const family = familyOf(tool)
  const path = family ? pathPattern(inner, effect) : { reason: OTHER }
  return typeof path === 'string' ? { tool: family, path: [path] } : path
}

/** A rule of Claude Code for one of these counts for all tools of its family. */
function familyOf(tool: string): string[] | undefined {
  if (tool === 'Read') return ['Read|NotebookRead|Grep|Glob|LS']
  return tool === 'Edit' || tool === 'Write' ? [CHANGING_TOOLS.join('|')] : undefined
}

function mcpContent(name: string): Content | { readonly reason: string } {
  const [, server = '', tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? []
  if (server.includes('*') || (tool.includes('*') && tool !== '*'))
    return { reason: 'has a wildcard in a name' }
  return { mcp: { server, ...(tool === '*' ? {} : { tool: [literal(tool)] }) } }
}

function hostContent(inner: string, effect: Effect): Content | { readonly reason: string } {
  const [, host = ''] = /^domain:([\w.-]+)$/.exec(inner.trim()) ?? []
  if (host === '') return { reason: 'names no plain domain' }
  return { tool: ['WebFetch'], host: effect === 'allow' ? [host] : [host, `*.${host}`] }
}

function literal(text: string): string {
  return text.replace(/[\\*|]/g, String.raw`\$&`)
}

function settingsIn(text: string): z.infer<typeof Settings> {
  try {
    return Settings.parse(JSON.parse(text))
  } catch {
    throw new AppError(
      'invalid_input',
      'It is not a settings file of Claude Code: there must be permissions with the lists allow, deny and ask.',
    )
  }
}

const EFFECTS: readonly Effect[] = ['deny', 'ask', 'allow']
const OTHER = 'is about a part of a call that our rules do not compare'
const Rules = z.array(z.string()).default([])
const Settings = z.object({ permissions: z.looseObject({ allow: Rules, deny: Rules, ask: Rules }) })
