import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import { parseRules } from '../../rules/rules-file.ts'
import { type ReplayReport, ReplayTally } from '../../rules/learning/replay.ts'
import { outcomeAnew } from '../../sessions/in-advance/judge-anew.ts'
import { visibleFilter } from '../questions/list-decisions.ts'
import { type LearningDeps, pastCalls } from './past-questions.ts'

export interface ReplayRules {
  /** A rules file: its text, or what is in it. */
  readonly rules: string | Readonly<Record<string, unknown>>
  /** 30 by default. */
  readonly days?: number | undefined
}

/** What a rules file would have decided about the stored questions that the caller may read. Nothing is run. */
export async function replayRules(
  deps: LearningDeps,
  caller: Caller,
  { rules: given, days = DEFAULT_DAYS }: ReplayRules,
): Promise<ReplayReport & { readonly since: number }> {
  requireNoSession(caller)
  const rules = parseRules(typeof given === 'string' ? given : JSON.stringify(given))
  const since = Date.now() - days * DAY_MS
  const tally = new ReplayTally()
  for await (const calls of pastCalls(deps, { ...(await visibleFilter(deps.store, caller)), since }))
    for (const { question, judged } of calls) {
      const { outcome, ruleId } = outcomeAnew(question, rules, judged)
      tally.add(question, outcome, ruleId)
    }
  return { ...tally.report(), since }
}

/** Rules are a matter of the people and programs that start sessions; a session is what they are about. */
export function requireNoSession(caller: Caller): void {
  if (caller.kind !== 'session') return
  throw new AppError('forbidden', 'A session does not try rules; ask the person who is responsible for it.')
}

export const DAY_MS = 24 * 60 * 60 * 1_000
export const DEFAULT_DAYS = 30
