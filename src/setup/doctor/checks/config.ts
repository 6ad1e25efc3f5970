import { fix, ok, type Outcome } from './finding.ts'

export interface ConfigFacts {
  readonly path: string
  readonly exists: boolean
  /** What is wrong with it. */
  readonly problem?: string | undefined
}

export function judgeConfig({ path, exists, problem }: ConfigFacts): Outcome[] {
  if (problem !== undefined) return [fix(`No hub starts with it: ${problem}`)]
  return [ok(exists ? `${path} is valid.` : 'There is no config.json, so the defaults hold.')]
}
