import type { Approval } from '../../approvals/approval.ts'
import { AppError } from '../../base/errors.ts'
import type { Caller } from '../../callers/access-rules.ts'

/** Refuses an answer of a caller that a rule does not let answer: of each rule that has it asked about, one name must fit. */
export function requireAnswererOfRule(
  { verdict }: Pick<Approval, 'verdict'>,
  caller: Pick<Caller, 'id' | 'kind' | 'person'>,
): void {
  const unmet = verdict?.answerers?.find((names) => !names.some((name) => isNamed(name, caller)))
  if (!unmet) return
  throw new AppError(
    'forbidden',
    `By the rule ${verdict?.ruleId ?? ''} only ${unmet.join(' or ')} may answer this; leave it open for them.`,
    { data: { answerers: unmet } },
  )
}

/** Whether no session may answer it, so that a person or the owner is responsible. */
export function isAboveSessions({ verdict }: Pick<Approval, 'verdict'>): boolean {
  return verdict?.answerers?.some((names) => !names.includes('session')) === true
}

function isNamed(name: string, { id, kind, person }: Pick<Caller, 'id' | 'kind' | 'person'>): boolean {
  return name === 'person' ? person : name === kind || name === id
}
