import { z } from 'zod'
import { CallMemory, type CallerMemory } from '../../api/operation/caller-memory.ts'
import type { Context, Operation } from '../../api/operation/operation.ts'
import { operationNamed, OPERATIONS, requireOffered } from '../../api/operations.ts'
import type { CallContext } from '../../engine/engine.ts'
import { callVerb, UnknownVerb } from '../../engine/verbs.ts'
import { AppError } from '../../base/errors.ts'
import { isInternal, type RpcError, rpcErrorOf, errorPayload } from '../error-response.ts'
import { isRefusal, type RefusedCall } from '../refused-call.ts'

const Id = z.union([z.string(), z.number(), z.null()])
const Request = z.object({
  jsonrpc: z.literal('2.0'),
  /** A request without an id is a notification: it is executed, and gets no response. */
  id: Id.optional(),
  method: z.string(),
  params: z.unknown().optional(),
})

export type Response = { jsonrpc: '2.0'; id: z.infer<typeof Id> } & (
  | { result: unknown }
  | { error: RpcError }
)

export interface RpcParts {
  readonly engine: Context['engine']
  /** Called with unexpected errors: the caller learns only that one happened. */
  readonly onError: (error: unknown, method: string) => void
  /** What the caller knows from earlier calls. */
  readonly memory?: CallerMemory | undefined
  /** Called with events before the result is there. */
  readonly notify?: Context['notify']
  /** Called when a caller is denied access. */
  readonly onRefused: (refused: RefusedCall) => void
}

const MAX_BATCH = 50

/** JSON-RPC 2.0: one request, or a batch that runs concurrently. Undefined if no response is due. */
export async function answerRpc(
  parts: RpcParts,
  call: CallContext,
  body: string,
): Promise<Response | Response[] | undefined> {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return failure(null, -32700, 'This is not JSON.')
  }
  if (!Array.isArray(message)) return answerOne(parts, call, message)
  if (message.length === 0 || message.length > MAX_BATCH)
    return failure(null, -32600, `A batch has 1 to ${MAX_BATCH} requests.`)
  const answers = await Promise.all(message.map((one: unknown) => answerOne(parts, call, one)))
  const responses = answers.filter((response) => response !== undefined)
  return responses.length === 0 ? undefined : responses
}

async function answerOne(
  parts: RpcParts,
  call: CallContext,
  message: unknown,
): Promise<Response | undefined> {
  const parsed = Request.safeParse(message)
  if (!parsed.success)
    return failure(idOf(message), -32600, 'A request needs "jsonrpc": "2.0", a method, and an id.')
  const { id, method, params = {} } = parsed.data
  const response = await done(parts, call, { id: id ?? null, method, params })
  return id === undefined ? undefined : response
}

async function done(
  { engine, onError, onRefused, notify, memory: known }: RpcParts,
  call: CallContext,
  { id, method, params }: { id: z.infer<typeof Id>; method: string; params: unknown },
): Promise<Response> {
  let operation: Operation | undefined
  const memory = known && new CallMemory(known.known)
  try {
    operation = operationNamed(method)
    requireOffered(call.caller, method)
    const result = operation
      ? await operation.call({ engine, call, gone: call.signal, notify, memory }, params)
      : await callVerb(engine, call, method, params)
    if (memory && !call.signal?.aborted) known.noteResult(memory.changes)
    return { jsonrpc: '2.0', id, result: result ?? null }
  } catch (cause) {
    const error = call.signal?.aborted && isInternal(cause) ? cutOff() : cause
    if (error instanceof UnknownVerb) return failure(id, -32601, `${error.message} ${ALSO}`)
    if (isInternal(error)) onError(error, method)
    if (isRefusal(error, call.caller)) onRefused({ caller: call.caller.name, method, reason: error.message })
    if (operation?.failed && isObject(params))
      return { jsonrpc: '2.0', id, result: errorPayload(error, operation) }
    return { jsonrpc: '2.0', id, error: rpcErrorOf(error) }
  } finally {
    if (memory) known.note(memory.changes)
  }
}

/** A wait was cut off because its caller has disconnected, or because the hub is closing. */
function cutOff(): AppError {
  return new AppError('busy', 'The hub is closing; try again when it is back.')
}

/** The operations of both families are methods too. */
const ALSO = `There are also ${OPERATIONS.map(({ name }) => name).join(', ')}.`

/** Other params are an error of the protocol, not of the operation. */
function isObject(params: unknown): boolean {
  return typeof params === 'object' && params !== null && !Array.isArray(params)
}

function failure(id: z.infer<typeof Id>, code: number, message: string): Response {
  return { jsonrpc: '2.0', id, error: { code, message, data: { code: 'invalid_input' } } }
}

function idOf(message: unknown): z.infer<typeof Id> {
  return z.object({ id: Id }).safeParse(message).data?.id ?? null
}
