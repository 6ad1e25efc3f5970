import type { SessionKey } from '../../base/ids.ts'
import type {
  Begun,
  OperationAnswer,
  CallEvent,
  OperationCall,
  ToolResult,
} from '../../api/operation/operation-call.ts'
import { CallMemory } from '../../api/operation/caller-memory.ts'
import type { Context, Operation } from '../../api/operation/operation.ts'
import { AppError } from '../../base/errors.ts'
import type { CallContext } from '../../engine/engine.ts'
import { isInternal, errorPayload } from '../error-response.ts'
import { toolResult } from './tool-result.ts'
import { isRefusal, type RefusedCall } from '../refused-call.ts'
import { observedEngine } from './observed-engine.ts'

export interface RunParts {
  readonly engine: Context['engine']
  readonly onError: (error: unknown, method: string) => void
  /** Called when a caller asked for something that it may not have. */
  readonly onRefused: (refused: RefusedCall) => void
}

/** The caller, and its events before the result. */
export interface OperationCaller extends CallContext {
  readonly signal: AbortSignal
  /** Aborts when the caller has disconnected; `signal` also aborts when the hub ends. */
  readonly gone?: AbortSignal | undefined
  readonly closing?: AbortSignal | undefined
  readonly onEvent?: ((event: CallEvent) => void | Promise<void>) | undefined
}

export interface RunAnswer extends OperationAnswer {
  /** Whether the call has waited for an event. */
  readonly hasWaited: boolean
  readonly error?: unknown
}

/**
 * Runs an operation in the hub, for every MCP transport. An error is a result too; it never throws.
 */
export async function runOperation(
  { engine, onError, onRefused }: RunParts,
  operation: Operation,
  call: OperationCall,
  { caller, signal, gone = signal, closing, onEvent }: OperationCaller,
): Promise<RunAnswer> {
  const memory = new CallMemory(call.known)
  const emit = (event: CallEvent) => {
    if (event.type === 'begun' ? operation.isRepeatable : call.observe) void onEvent?.(event)
  }
  const observed = observedEngine(engine, { ...call, onEvent: emit })
  let { notice } = call
  const context: Context = {
    engine: observed.engine,
    call: { caller, signal },
    workingDirectory: call.workingDirectory,
    ask: call.ask,
    waitedMs: call.waitedMs,
    notice: () => {
      const said = notice
      notice = undefined
      return said
    },
    memory,
    gone,
    closing,
    notify:
      onEvent &&
      (async ({ text }) => {
        if (text !== undefined) await onEvent({ type: 'text', text })
      }),
  }
  const answered = (result: ToolResult, error?: unknown): RunAnswer => ({
    result,
    error,
    memory: memory.changes,
    hasWaited: observed.hasWaited(),
    ...(call.notice !== undefined && notice === undefined ? { noticed: true } : {}),
    ...(call.observe ? { looked: observed.looked() } : {}),
  })
  try {
    return answered(toolResult(operation, await resultOf(operation, call, context)))
  } catch (cause) {
    const error = signal.aborted && isInternal(cause) ? cutOff(cause) : cause
    if (isInternal(error) && !gone.aborted) onError(error, operation.name)
    if (isRefusal(error, caller))
      onRefused({ caller: caller.name, method: operation.name, reason: error.message })
    return answered(failedResult(error, operation), error)
  }
}

function resultOf(operation: Operation, { again, ...call }: OperationCall, context: Context) {
  return again ? resumed(operation, call, context, again) : operation.call(context, call.arguments)
}

async function resumed(
  operation: Operation,
  call: OperationCall,
  context: Context,
  { sessionId, promptId }: Begun,
): Promise<object> {
  if (!operation.isRepeatable) throw lost()
  try {
    return await operation.again(context, call.arguments, sessionId, promptId)
  } catch (error) {
    // A repeated call may have shortened arguments, and those cannot be validated.
    if (error instanceof AppError && error.code === 'invalid_input') throw lost(sessionId)
    throw error
  }
}

export function failedResult(error: unknown, operation: Pick<Operation, 'failed'>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(errorPayload(error, operation)) }], isError: true }
}

function lost(sessionId?: SessionKey): AppError {
  const next =
    sessionId === undefined
      ? 'check with claude_list what has begun before you do this again'
      : `the session ${sessionId} has begun: call claude_status with it`
  return new AppError('busy', `The hub went away before it answered; ${next}.`)
}

/** The error of a wait that has no result yet: its caller has disconnected and does not read it, or the hub is about to end. */
export function cutOff(cause: unknown): AppError {
  return new AppError('busy', HUB_STOPS, { cause })
}

export const HUB_STOPS =
  'The hub stops; its sessions keep running. Call claude_status again in a moment, or claude_list if you know no session.'
