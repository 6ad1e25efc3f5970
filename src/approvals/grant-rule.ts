import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { definedFields } from '../base/defined-fields.ts'
import type { Approval } from './approval.ts'
import { ruleText, suggestedRules } from './suggested-rules.ts'

/** What an answer may keep: the very call, or also the rules that were suggested with the question. */
export const Remember = z.enum(['session', 'suggested'])
export type Remember = z.infer<typeof Remember>

/**
 * What was remembered: this tool with this subject in this folder, to which we answer ourselves whenever it is asked
 * again; and, where the answerer chose them, rules by which the CLI does not ask about such calls in the first place.
 */
export const GrantRule = z.object({
  toolName: z.string(),
  subject: z.string(),
  /** Where the call means something else in another folder. */
  folder: z.string().optional(),
  rules: z.array(z.string()).default([]),
  /** Absent in what an older version remembered: its rules were chosen by nobody. */
  remember: Remember.optional(),
})
export type GrantRule = z.infer<typeof GrantRule>

/** A call of a tool, and the folder that it is made in where that is known. */
interface Call {
  readonly toolName: string
  readonly input: unknown
  readonly cwd?: string | undefined
}

/** Undefined where nobody knows in which folder the call would run. */
export function grantRuleOf(approval: Approval, remember: Remember): GrantRule | undefined {
  const { toolName, cwd } = approval
  const rules = remember === 'suggested' ? suggestedRules(approval).map(ruleText) : []
  const rule = { toolName, subject: subjectOf(approval), rules, remember }
  if (!dependsOnFolder(approval)) return rule
  return cwd === undefined ? undefined : { ...rule, folder: cwd }
}

export function isGranted(rule: unknown, call: Call): boolean {
  const { toolName, subject, folder } = GrantRule.safeParse(rule).data ?? {}
  if (toolName !== call.toolName || subject !== subjectOf(call)) return false
  return !dependsOnFolder(call) || (call.cwd !== undefined && folder === call.cwd)
}

/** What was remembered, in words for whoever decided it. */
export interface Remembered {
  readonly call: string
  readonly folder?: string | undefined
  readonly rules: readonly string[]
}

export function rememberedBy({ toolName, subject, folder, rules }: GrantRule): Remembered {
  return { call: `${toolName}: ${subject}`, ...definedFields({ folder }), rules }
}

/**
 * What is left of a rule of an older version, which knew no folder and took the CLI's rules without a word: the very call,
 * where the session works. Undefined where nothing has to go.
 */
export function narrowedRule(
  rule: unknown,
  folder: string,
): { readonly rule: GrantRule; readonly dropped: readonly string[] } | undefined {
  const old = GrantRule.safeParse(rule).data
  if (!old || old.remember !== undefined) return undefined
  return { rule: { ...old, folder, rules: [], remember: 'session' }, dropped: old.rules }
}

/** The rules for the CLI that come with these. */
export function cliRulesOf(remembered: readonly unknown[]): string[] {
  return [...new Set(remembered.flatMap((rule) => GrantRule.safeParse(rule).data?.rules ?? []))]
}

/**
 * What a call is about: of the CLI's own tools the command, file or address; of any other all of its input, for nobody knows
 * what else in it matters (the same address with another method, the same command outside its sandbox).
 */
function subjectOf({ toolName, input }: Call): string {
  const { file_path: path, url } = Subject.safeParse(input).data ?? {}
  const whole = JSON.stringify(input)
  switch (toolName) {
    case 'Bash':
      return PlainCommand.safeParse(input).data?.command ?? whole
    case 'Read':
    case 'Write':
    case 'Edit':
      return path ?? whole
    case 'WebFetch':
      return url ?? whole
    default:
      return whole
  }
}

/** Whether it could be another call in another folder: so is every one that is not known to be the same everywhere. */
function dependsOnFolder({ toolName, input }: Call): boolean {
  if (toolName.startsWith('mcp__') || toolName === 'WebFetch' || toolName === 'WebSearch') return false
  const { file_path: path } = Subject.safeParse(input).data ?? {}
  return !(['Read', 'Write', 'Edit'].includes(toolName) && path !== undefined && isAbsolute(path))
}

const PlainCommand = z.strictObject({
  command: z.string(),
  description: z.unknown().optional(),
  timeout: z.unknown().optional(),
})
const Subject = z.object({ file_path: z.string().optional(), url: z.string().optional() })
