import type { Operation } from '../api/operation/operation.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { systemLimitMessage } from '../system/system-limit.ts'

/** What each code is elsewhere: in JSON-RPC, in HTTP, and when a command ends. 75 is "try again later". */
const ELSEWHERE: Record<ErrorCode, { rpc: number; http: number; exit: number }> = {
  invalid_input: { rpc: -32602, http: 400, exit: 1 },
  not_found: { rpc: -32000, http: 404, exit: 1 },
  forbidden: { rpc: -32000, http: 403, exit: 1 },
  already_settled: { rpc: -32000, http: 409, exit: 1 },
  would_deadlock: { rpc: -32000, http: 409, exit: 1 },
  too_many_sessions: { rpc: -32000, http: 429, exit: 75 },
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
  const { code, message, data } = told(error)
  return { code: ELSEWHERE[code].rpc, message, data: { ...data, code } }
}

export function httpErrorOf(error: unknown): { status: number; body: unknown } {
  const { code, message, data } = told(error)
  return { status: ELSEWHERE[code].http, body: { error: { ...data, code, message } } }
}

export function exitCodeOf(error: unknown): number {
  return error instanceof AppError ? ELSEWHERE[error.code].exit : 1
}

/** Whether nobody foresaw it: then the caller is told no more than that, and the log the rest. */
export function isInternal(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === 'internal'
}

/** In one object: as MCP tells it, and an operation that has its own way with errors. */
export function toldOf(error: unknown, { failed }: Pick<Operation, 'failed'>): object {
  const { code, message, data } = told(error)
  return failed ? failed({ code, message, data }) : { ...data, code, message }
}

function told(error: unknown): Pick<AppError, 'code' | 'message' | 'data'> {
  if (error instanceof AppError && !isInternal(error)) return error
  const limit = systemLimitMessage(error)
  if (limit !== undefined) return { code: 'busy', message: limit, data: undefined }
  return { code: 'internal', message: 'internal error', data: undefined }
}
