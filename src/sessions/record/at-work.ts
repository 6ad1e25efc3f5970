import type { SessionStatus } from './session.ts'

/** The statuses of a session that works, or waits for an answer. */
export const AT_WORK: readonly SessionStatus[] = ['running', 'waiting']

export function isAtWork({ status }: { readonly status: SessionStatus }): boolean {
  return AT_WORK.includes(status)
}
