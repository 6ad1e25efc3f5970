import type { SessionStatus } from './session.ts'

/** The statuses of a session that works, or waits for an answer. */
export const AT_WORK: readonly SessionStatus[] = ['running', 'waiting']

export function isAtWork({ status }: { readonly status: SessionStatus }): boolean {
  return AT_WORK.includes(status)
}

/** It has an open question: one that its child waits for, or one about its budget, which stops nothing. */
export function needsAnswer(session: {
  readonly status: SessionStatus
  readonly budgetQuestions?: number | undefined
}): boolean {
  return session.status === 'waiting' || (session.budgetQuestions ?? 0) > 0
}
