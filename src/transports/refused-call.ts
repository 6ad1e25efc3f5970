import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'

/** A call of somebody who may not do it, for the log: it has the sentence that they were told, and no secret. */
export interface Refused {
  readonly caller: string
  readonly method: string
  readonly reason: string
}

/** Whether an error says that the caller may not. What a session may not see does not exist for it. */
export function isRefusal(error: unknown, { kind }: Caller): error is AppError {
  if (!(error instanceof AppError)) return false
  return error.code === 'forbidden' || (kind === 'session' && error.code === 'not_found')
}
