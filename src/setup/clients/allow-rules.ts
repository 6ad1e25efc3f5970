import { join } from 'node:path'
import { configFolder } from '../../child/launch/trust.ts'
import { valueAt, withItem, withoutEmpty, withoutItem } from '../files/jsonc-edit.ts'
import type { Place } from './client-table.ts'

/**
 * Rules for the user's settings of Claude Code: the model may start, watch and list sessions unasked. Never `claude_respond`:
 * with a rule for that the model decides what its sessions may do, and nobody is asked.
 */
export const ALLOW_RULES = ['claude_start', 'claude_status', 'claude_list'].map(
  (tool) => `mcp__plexus__${tool}`,
)

const LIST = ['permissions', 'allow']

export function rulesFile({ env }: Place): string {
  return join(configFolder(env) ?? '', 'settings.json')
}

export function hasRules(text: string): boolean {
  return rulesIn(text).some((rule) => ALLOW_RULES.includes(rule))
}

export function withRules(text: string): string {
  return ALLOW_RULES.reduce((edited, rule) => withItem(edited, LIST, rule), text)
}

/** But those that were there before; the lists that were made for them go with them. */
export function withoutRules(text: string, before: string | undefined): string {
  const kept = before === undefined ? [] : rulesIn(before)
  const ours = ALLOW_RULES.filter((rule) => !kept.includes(rule))
  const rest = ours.reduce((edited, rule) => withoutItem(edited, LIST, rule), text)
  const made = [LIST, LIST.slice(0, 1)].filter((path) => before !== undefined && !valueAt(before, path))
  return made.reduce((edited, path) => withoutEmpty(edited, path), rest)
}

function rulesIn(text: string): string[] {
  const rules = valueAt(text, LIST)
  return Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string') : []
}
