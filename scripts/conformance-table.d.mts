export interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}
export interface Outcome {
  word: 'pass' | 'fail' | 'not for us'
  reason: string
  checks?: number
}
export function outcomeUnrun(scenario: string, revision: string): Outcome | undefined
export function outcomeOf(scenario: string, checks: readonly Check[]): Outcome
export function tableOf(
  outcomes: Readonly<Record<string, Readonly<Record<string, Outcome>>>>,
  revisions: readonly string[],
): string
