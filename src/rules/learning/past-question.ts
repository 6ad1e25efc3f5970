import type { RuleCall } from '../rule-call.ts'
import type { StoredVerdict, Verdict } from '../verdict.ts'

/** What became of a call by the rules alone: allowed or denied without a question to anybody, or asked. */
export type Outcome = 'allowed' | 'asked' | 'denied'

/** A question of the history, settled by an answer, by a rule or by nobody. */
export interface PastQuestion {
  readonly id: string
  /** What a person calls it, such as `web.3`. */
  readonly label: string
  readonly at: number
  readonly call: RuleCall
  readonly status: 'allowed' | 'denied' | 'expired' | 'withdrawn'
  /** The name of the caller who settled it. */
  readonly by?: string | undefined
  /** Its answer was no from a caller, and not from a rule, a limit or an end. */
  readonly wasDenied: boolean
  readonly outcome: Outcome
  /** Decided by what no rules file says: a rule of the session or its repository, or what was remembered. */
  readonly byOther: boolean
}

/** The outcome that a stored question had, and whether a rules file had a part in it. Pure. */
export function outcomeThen(
  verdict: StoredVerdict | undefined,
  via: string | undefined,
): Pick<PastQuestion, 'outcome' | 'byOther'> {
  const byOther = verdict !== undefined && OTHER_DRAWERS.has(verdict.drawer)
  if (!verdict || via !== 'rule') return { outcome: 'asked', byOther }
  return { outcome: outcomeOf(verdict), byOther }
}

export function outcomeOf({ effect }: Pick<Verdict, 'effect'>): Outcome {
  if (effect === 'allow') return 'allowed'
  return effect === 'deny' || effect === 'forbid' ? 'denied' : 'asked'
}

const OTHER_DRAWERS: ReadonlySet<string> = new Set(['session', 'repository', 'granted'])
