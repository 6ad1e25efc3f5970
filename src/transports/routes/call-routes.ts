import { MemoryByCaller } from '../../api/operation/caller-memory.ts'
import type { Context } from '../../api/operation/operation.ts'
import type { Log } from '../../base/log.ts'
import { jsonBody } from '../http/json-body.ts'
import { replyJson } from '../http/reply.ts'
import type { RefusedCall } from '../refused-call.ts'
import { answerOperation } from './operation-route.ts'
import type { Route } from './route.ts'
import { answerRpc } from './rpc.ts'
import { streamRpc } from './rpc-stream.ts'

export interface CallParts {
  readonly engine: Context['engine']
  readonly log: Log
  /** Called when a caller is denied access. */
  readonly onRefused: (refused: RefusedCall) => void
  /** The sessions that were at work when the hub started. */
  readonly foundAtWork?: readonly string[] | undefined
}

export function rpcRoute({ engine, log, onRefused, foundAtWork }: CallParts): Route {
  const known = new MemoryByCaller(foundAtWork)
  const onError = (error: unknown, method: string) => log.error('A call failed.', { method, error })
  return async (request, response, { caller: arrived, signal }) => {
    const body = await jsonBody(request, response)
    if (body === undefined) return
    // A face of Plexus that uses this route names itself in `via`; for every other caller it is rpc.
    const caller = { ...arrived, via: arrived.via ?? ('rpc' as const) }
    const rpc = { engine, onError, onRefused, memory: known.of(caller.id) }
    if (/\btext\/event-stream\b/.test(request.headers.accept ?? ''))
      return streamRpc(response, rpc, { caller, signal }, body)
    const answer = await answerRpc(rpc, { caller, signal }, body)
    if (answer === undefined) response.writeHead(204).end()
    else replyJson(response, 200, answer)
  }
}

export function operationRoute({ engine, log, onRefused }: CallParts): Route {
  const onError = (error: unknown, method: string) => log.error('A call failed.', { method, error })
  return async (request, response, call) => {
    const body = await jsonBody(request, response)
    if (body !== undefined) await answerOperation(response, { engine, onError, onRefused }, call, body)
  }
}
