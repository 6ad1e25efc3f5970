import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { setImmediate as immediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Identity } from '../callers/permission.ts'
import type { Asking } from '../engine/engine.ts'
import { AppError } from '../errors.ts'
import { parseInput } from '../parse-input.ts'
import { VERSION } from '../version.ts'
import { OpenCalls } from './open-calls.ts'
import type { WebHandler } from './web-request.ts'

/** What a child asks with. The CLI fixes the names. */
const Permit = z.strictObject({
  tool_name: z.string('tool_name must be text.').min(1, 'tool_name may not be empty.'),
  input: z.record(z.string(), z.unknown(), 'input must be an object.'),
  tool_use_id: z.string('tool_use_id must be text.').min(1, 'tool_use_id may not be empty.'),
})

const TOOL = {
  name: 'loopback_permit',
  description:
    'Asks whoever is responsible for this session whether a tool may be used, and waits for the answer.',
  inputSchema: {
    type: 'object' as const,
    properties: { tool_name: { type: 'string' }, input: { type: 'object' }, tool_use_id: { type: 'string' } },
    required: ['tool_name', 'input', 'tool_use_id'],
    additionalProperties: false,
  },
}

export interface PermitOptions {
  /** A call that says nothing for longer is given up by the CLI after five minutes. */
  readonly progressMs?: number
  readonly onError?: (error: unknown) => void
  /** The hub is about to go: nothing is answered any more, so that the child may ask the next one. */
  readonly closing?: AbortSignal | undefined
}

/** The mcp carrier: a child asks by calling a tool, and the answer is what the call returns. */
export function permitHandler(
  engine: Asking,
  identityOf: (token: string) => Promise<Identity | undefined>,
  { progressMs = 15_000, onError = () => {}, closing }: PermitOptions = {},
): WebHandler {
  const calls = new OpenCalls()
  return async (request) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : await identityOf(token)
    if (!caller) return unauthorized()
    const serve = createMcpHandler(() => serverFor(caller, { engine, calls, progressMs, onError, closing }), {
      responseMode: 'sse',
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_BODY,
      onerror: onError,
    })
    return serve.fetch(request)
  }
}

interface Parts {
  readonly engine: Asking
  readonly calls: OpenCalls
  readonly progressMs: number
  readonly onError: (error: unknown) => void
  readonly closing: AbortSignal | undefined
}

/** A server for one request, of this caller. */
function serverFor(caller: Identity, parts: Parts): Server {
  const server = new Server({ name: 'plexus', version: VERSION }, { capabilities: { tools: {} } })
  const asks = caller.kind === 'session'
  server.setRequestHandler('tools/list', () => ({ tools: asks ? [TOOL] : [] }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (!asks || params.name !== TOOL.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name} here.`)
    return permit(caller, params.arguments, context, parts)
  })
  // Each message has a server of its own, so a cancellation does not find the call that it is meant for by itself.
  server.setNotificationHandler('notifications/cancelled', ({ params }) => {
    if (params.requestId !== undefined) parts.calls.cancel(caller.id, params.requestId)
  })
  return server
}

async function permit(
  caller: Identity,
  given: unknown,
  { mcpReq }: ServerContext,
  { engine, calls, progressMs, onError, closing }: Parts,
): Promise<CallToolResult> {
  const { id, _meta: meta, signal: gone } = mcpReq
  const call = calls.open(caller.id, id)
  const progressToken = meta?.progressToken
  let progress = 0
  const sayWaiting = async () => {
    if (progressToken === undefined) return
    const params = { progressToken, progress: progress++, message: 'waiting for an answer' }
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  const alive = setInterval(() => void sayWaiting(), progressMs)
  try {
    const { tool_name: toolName, input, tool_use_id: toolUseId } = parseInput(Permit, given)
    const asked = { toolName, input, toolUseId }
    // A call without a word of an answer fails when the hub does; one that has begun can be asked again of the next.
    await sayWaiting()
    await immediate()
    const decision = await engine.ask(
      { caller, signal: closing },
      asked,
      AbortSignal.any([gone, call.signal]),
    )
    return { content: [{ type: 'text', text: JSON.stringify(decision) }] }
  } catch (error) {
    if (closing?.aborted) return new Promise(() => {})
    const known = error instanceof AppError
    if (!known && !gone.aborted && !call.signal.aborted) onError(error)
    const text = known ? error.message : 'The question could not be asked; nothing was allowed.'
    return { content: [{ type: 'text', text }], isError: true }
  } finally {
    clearInterval(alive)
    call.close()
  }
}

function unauthorized(): Response {
  const error = { code: 'forbidden', message: 'A token is needed: Authorization: Bearer TOKEN.' }
  return Response.json({ error }, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
}

const MAX_BODY = 16 << 20
