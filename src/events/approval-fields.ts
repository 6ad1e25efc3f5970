import { z } from 'zod'
import { GrantId } from '../base/ids.ts'
import { SCOPES } from '../rules/exact/grant-scopes.ts'
import type { Rule } from '../rules/rule.ts'

/** A child asks about all of these but `budget`, which the hub asks about. */
export const ApprovalKind = z.enum(['tool', 'plan', 'question', 'form', 'budget'])
export type ApprovalKind = z.infer<typeof ApprovalKind>
export const ChildAsks = ApprovalKind.exclude(['budget'])
export type ChildAsks = z.infer<typeof ChildAsks>

/** `terminal`: a CLI that a person runs in a terminal asks beside its own dialog, and the first answer counts. */
export const CARRIERS = ['control', 'mcp', 'terminal'] as const

/**
 * The level from which an answer came: a session above (0 is the parent of the asking session, 1 the parent of that, …), the
 * owner of the tree, or a person.
 */
export const Level = z.union([z.int().min(0), z.enum(['owner', 'person'])])
export type Level = z.infer<typeof Level>

/** The caller that answered, with what proves it. */
export const SettlingCaller = z.object({
  kind: z.enum(['operator', 'client', 'device', 'session']),
  id: z.string(),
  person: z.boolean(),
  proof: z.string(),
  client: z.string().optional(),
})

/** Checked before it is stored, and read back as it was. */
const StoredRule = z.custom<Rule>((value) => typeof value === 'object' && value !== null)

/** What an answer allows from then on. */
export const Remembered = z.object({
  id: GrantId,
  /** Absent in events of an older version. */
  scope: z.enum(SCOPES).optional(),
  rules: z.array(StoredRule).optional(),
  /** In ms since 1970. */
  endsAt: z.number().optional(),
  /** What an older version remembered: its rules were given to the child. */
  rule: z.unknown().optional(),
})
