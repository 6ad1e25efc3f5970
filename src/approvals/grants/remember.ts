import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { definedFields } from '../../base/defined-fields.ts'
import { ruleText, type SuggestionSource, suggestedRules } from './suggested-rules.ts'

/** What an answer may remember: the exact call, or also the rules that were suggested with the question. */
export const Remember = z.enum(['session', 'suggested'])
export type Remember = z.infer<typeof Remember>

/**
 * What was remembered: this tool with this subject in this folder, which Plexus allows itself when it is asked again; and,
 * if the answerer chose them, rules by which the CLI does not ask about such calls at all.
 */
export const GrantRule = z.object({
  toolName: z.string(),
  subject: z.string(),
  /** Present if the call means something else in another folder. */
  folder: z.string().optional(),
  rules: z.array(z.string()).default([]),
  /** Absent in records of an older version, whose rules nobody chose. */
  remember: Remember.optional(),
})
export type GrantRule = z.infer<typeof GrantRule>

/** A call of a tool, and the folder in which it runs, if known. */
interface Call {
  readonly toolName: string
  readonly input: unknown
  readonly cwd?: string | undefined
}

/** Undefined if the folder matters and is not known. */
export function grantRuleOf(approval: Call & SuggestionSource, remember: Remember): GrantRule | undefined {
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

/** What was remembered, as text for the answerer. */
export interface Remembered {
  readonly call: string
  readonly folder?: string | undefined
  readonly rules: readonly string[]
}

export function rememberedBy({ toolName, subject, folder, rules }: GrantRule): Remembered {
  return { call: `${toolName}: ${subject}`, ...definedFields({ folder }), rules }
}

/**
 * Narrows a rule of an older version, which stored no folder and took over the CLI's rules unasked: what remains is the exact
 * call in the session's folder. Undefined if the rule needs no narrowing.
 */
export function narrowedRule(
  rule: unknown,
  folder: string,
): { readonly rule: GrantRule; readonly dropped: readonly string[] } | undefined {
  const old = GrantRule.safeParse(rule).data
  if (!old || old.remember !== undefined) return undefined
  return { rule: { ...old, folder, rules: [], remember: 'session' }, dropped: old.rules }
}

/** The rules for the CLI in these grants. */
export function cliRulesOf(remembered: readonly unknown[]): string[] {
  return [...new Set(remembered.flatMap((rule) => GrantRule.safeParse(rule).data?.rules ?? []))]
}

/**
 * The part of a call that must match: for the CLI's own tools the command, file or address; for any other tool its whole
 * input, because any field may matter (the same address with another method, the same command outside its sandbox).
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

/** Whether the call could mean something else in another folder. True unless it is known to be the same everywhere. */
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
