/** JSON-RPC to a hub with one family of sessions, without a socket. */
import type { CallerMemory } from '../../../src/api/operation/caller-memory.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { answerRpc, type RpcParts } from '../../../src/transports/routes/rpc.ts'
import type { RefusedCall } from '../../../src/transports/refused-call.ts'
import { aFamily, CALLERS } from './family.ts'

interface Setting {
  readonly caller?: Caller
  readonly engine?: Engine
  readonly memory?: CallerMemory
  readonly isGone?: boolean
}

export async function aHub({ caller = CALLERS.operator, engine, memory, isGone = false }: Setting = {}) {
  const refused: RefusedCall[] = []
  const errors: unknown[] = []
  const parts: RpcParts = {
    engine: engine ?? (await aFamily()).app.engine,
    memory,
    onError: (error, method) => errors.push([method, error]),
    onRefused: (call) => refused.push(call),
  }
  const who = { caller, ...(isGone ? { signal: AbortSignal.abort() } : {}) }
  const send = (body: unknown) =>
    answerRpc(parts, who, typeof body === 'string' ? body : JSON.stringify(body))
  const call = (method: string, params?: unknown) => send({ jsonrpc: '2.0', id: 1, method, params })
  return { send, call, refused, errors }
}
