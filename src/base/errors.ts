/**
 * Every error that reaches a user has a code from this table and one sentence that says what happened and what to do
 * next. Denied, expired and interrupted are values, not errors.
 */
export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'forbidden',
  'already_settled',
  'changed',
  'would_deadlock',
  'too_many_sessions',
  'over_budget',
  'in_use',
  'cli_missing',
  'cli_failed',
  'storage_full',
  'busy',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export class AppError extends Error {
  readonly code: ErrorCode
  readonly data: Record<string, unknown> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.data = options.data
  }
}
