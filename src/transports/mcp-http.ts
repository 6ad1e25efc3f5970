import { createMcpHandler } from '@modelcontextprotocol/server'
import { permit } from '../api/loopback/permit.ts'
import { operationsFor, TOOLSETS, type Toolset } from '../api/operations.ts'
import type { Identity } from '../callers/permission.ts'
import type { Context } from '../api/operation.ts'
import { MAX_BODY, McpConnections } from './mcp-connections.ts'
import { mcpServerFor } from './mcp-server.ts'
import { clientOf, OpenCalls } from './open-calls.ts'
import type { Refused } from './refused.ts'
import { sessionBus } from './session-news.ts'
import type { WebHandler } from './web-request.ts'

export interface McpHttpOptions {
  readonly progressMs?: number
  readonly onError?: (error: unknown) => void
  readonly onRefused?: (refused: Refused) => void
  readonly closing?: AbortSignal | undefined
}

/**
 * MCP over HTTP: for clients, and for children that ask by a call (the mcp carrier). Each message is answered by a server of
 * its own for whoever has the token, so nothing is kept between two of them; but for clients of older protocols, who are
 * asked and told things only if it is.
 */
export function mcpHandler(
  engine: Context['engine'],
  identityOf: (token: string) => Promise<Identity | undefined>,
  { progressMs = 15_000, onError = () => {}, onRefused = () => {}, closing }: McpHttpOptions = {},
): WebHandler {
  const calls = new OpenCalls()
  const connections = new McpConnections()
  return async (request) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : await identityOf(token)
    if (!caller) return unauthorized()
    const operations = [
      ...(caller.kind === 'session' ? [permit] : []),
      ...operationsFor(caller, toolsetOf(new URL(request.url))),
    ]
    const parts = { engine, caller, operations, progressMs, onError, onRefused, closing }
    // A child's call must reach any hub, the next one too, and it has nobody to be asked.
    const lasting =
      caller.kind === 'session'
        ? undefined
        : await connections.answer(request, caller, (stream) => mcpServerFor({ ...parts, stream }))
    if (lasting) return lasting
    const own = calls.of(clientOf(caller, request.headers.get('mcp-session-id')))
    const serve = createMcpHandler(() => mcpServerFor({ ...parts, calls: own }), {
      responseMode: 'sse',
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_BODY,
      onerror: onError,
      bus: sessionBus(engine, caller),
    })
    return serve.fetch(request)
  }
}

/** `/mcp?tools=claude`: for who wants fewer. */
function toolsetOf({ searchParams }: URL): Toolset {
  const wish = searchParams.get('tools')
  return TOOLSETS.find((one) => one === wish) ?? 'all'
}

function unauthorized(): Response {
  const error = { code: 'forbidden', message: 'A token is needed: Authorization: Bearer TOKEN.' }
  return Response.json({ error }, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
}
