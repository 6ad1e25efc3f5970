import { fix, ok, type Outcome } from './finding.ts'

export interface RulesFacts {
  readonly path: string
  /** How many rules the file has; undefined if there is no file. */
  readonly count?: number | undefined
  /** What is wrong with it. */
  readonly problem?: string | undefined
}

export function judgeRules({ path, count, problem }: RulesFacts): Outcome[] {
  if (problem !== undefined)
    return [
      fix(
        `${path}: ${problem} Until it is corrected, all that its rules decided is asked about; plexus rules check ${path} checks it.`,
      ),
    ]
  return [
    ok(count === undefined ? 'There is no rules.json, so no rule decides.' : `${path} has ${count} rules.`),
  ]
}
