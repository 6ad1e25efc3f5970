import type { PendingQuestion } from '../../../src/engine/engine.ts'

/** One decision over several questions. */
export interface Batch {
  readonly approve: boolean
  readonly questions: readonly PendingQuestion[]
  /** Why none of them was answered. */
  readonly problem?: string | undefined
}

/** How many were answered; or that none was, and why: they are one decision. Pure. */
export function batchSentence({
  questions,
  approve,
  problem,
}: Pick<Batch, 'questions' | 'approve' | 'problem'>): string {
  const { length } = questions
  const count = length === 1 ? '1 question was' : `${length} questions were`
  if (problem === undefined) return `${count} ${approve ? 'allowed' : 'denied'}:`
  const first = problem.startsWith('None of') ? '' : `${length === 1 ? 'It was not' : 'None was'} answered. `
  return `${first}${problem} ${length === 1 ? 'It was' : 'They were'}:`
}
