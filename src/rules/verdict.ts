import { z } from 'zod'

/**
 * What the rules say of a call. `none`: no rule decides. With `ask` and no rule the call itself was the reason: it cannot be
 * read, or the rules cannot.
 */
export interface Verdict {
  readonly effect: 'forbid' | 'deny' | 'ask' | 'allow' | 'none'
  /** The list of rules that decided. */
  readonly drawer?: Drawer | undefined
  readonly ruleId?: string | undefined
  /** The matched rule in one line. */
  readonly text?: string | undefined
  /** For the model that called, and for the person who asks why. */
  readonly because?: string | undefined
}

const DRAWERS = ['forbid', 'rules', 'session', 'repository', 'granted', 'fault'] as const
export type Drawer = (typeof DRAWERS)[number]

/** A verdict of a rule as it is stored with the call or the question that it decided. */
export const StoredVerdict = z.object({
  effect: z.enum(['forbid', 'deny', 'ask', 'allow']),
  drawer: z.enum(DRAWERS),
  ruleId: z.string().optional(),
  text: z.string().optional(),
  because: z.string().optional(),
  /** SHA-256 of the file that the rule stood in. */
  digest: z.string().optional(),
})
export type StoredVerdict = z.infer<typeof StoredVerdict>

export const NO_VERDICT: Verdict = { effect: 'none' }

const STRICTNESS: Readonly<Record<Verdict['effect'], number>> = {
  none: 0,
  allow: 1,
  ask: 2,
  deny: 3,
  forbid: 4,
}

/** The verdict that lets the least happen; the first of equal ones. */
export function strictest(verdicts: readonly Verdict[]): Verdict {
  let found = NO_VERDICT
  for (const verdict of verdicts) if (STRICTNESS[verdict.effect] > STRICTNESS[found.effect]) found = verdict
  return found
}
