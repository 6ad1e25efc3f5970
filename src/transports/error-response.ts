import type { Operation } from '../api/operation/operation.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { systemLimitMessage } from '../system/system-limit-message.ts'

/** The numbers of each code in JSON-RPC, in HTTP, and as an exit code. 75 is EX_TEMPFAIL: try again later. */
const CODE_MAPPING: Record<ErrorCode, { rpc: number; http: number; exit: number }> = {
  invalid_input: { rpc: -32602, http: 400, exit: 2 },
  not_found: { rpc: -32000, http: 404, exit: 1 },
  forbidden: { rpc: -32000, http: 403, exit: 1 },
  already_settled: { rpc: -32000, http: 409, exit: 5 },
  changed: { rpc: -32000, http: 409, exit: 5 },
  would_deadlock: { rpc: -32000, http: 409, exit: 1 },
  too_many_sessions: { rpc: -32000, http: 429, exit: 75 },
  over_budget: { rpc: -32000, http: 409, exit: 1 },
  in_use: { rpc: -32000, http: 409, exit: 1 },
  cli_missing: { rpc: -32000, http: 503, exit: 1 },
  cli_failed: { rpc: -32000, http: 502, exit: 1 },
  storage_full: { rpc: -32000, http: 507, exit: 75 },
  busy: { rpc: -32000, http: 503, exit: 75 },
  internal: { rpc: -32603, http: 500, exit: 1 },
}

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> & { readonly code: ErrorCode }
}

export function rpcErrorOf(error: unknown): RpcError {
  const { code, message, data } = publicError(error)
  return { code: CODE_MAPPING[code].rpc, message, data: { ...data, code } }
}

export function httpErrorOf(error: unknown): { status: number; body: unknown } {
  const { code, message, data } = publicError(error)
  return { status: CODE_MAPPING[code].http, body: { error: { ...data, code, message } } }
}

export function exitCodeOf(error: unknown): number {
  return error instanceof AppError ? CODE_MAPPING[error.code].exit : 1
}

/** An unexpected error: the caller learns only that it happened, and the log has the details. */
export function isInternal(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === 'internal'
}

/** The error as one object, for MCP and for operations that return errors as results. */
export function errorPayload(error: unknown, { failed }: Pick<Operation, 'failed'>): object {
  const { code, message, data } = publicError(error)
  return failed ? failed({ code, message, data }) : { ...data, code, message }
}

function publicError(error: unknown): Pick<AppError, 'code' | 'message' | 'data'> {
  if (error instanceof AppError && !isInternal(error)) return error
  const limit = systemLimitMessage(error)
  if (limit !== undefined) return { code: 'busy', message: limit, data: undefined }
  return { code: 'internal', message: 'internal error', data: undefined }
}
