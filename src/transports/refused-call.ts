import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'

/** A refused call, for the log: it has the error sentence, and no secret. */
export interface RefusedCall {
  readonly caller: string
  readonly method: string
  readonly reason: string
}

/** True if the error denies access. For a child session, `not_found` may be a denied access too. */
export function isRefusal(error: unknown, { kind }: Caller): error is AppError {
  if (!(error instanceof AppError)) return false
  return error.code === 'forbidden' || (kind === 'session' && error.code === 'not_found')
}
