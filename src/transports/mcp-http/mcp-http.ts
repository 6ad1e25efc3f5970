import { createMcpHandler } from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { MAX_MESSAGE_BYTES } from '../../base/limits.ts'
import { INVALID_ASK, isAsk } from '../../base/ask-setting.ts'
import { CallerMemory, MemoryByCaller } from '../../api/operation/caller-memory.ts'
import { operationsFor, TOOLSETS, type Toolset } from '../../api/operations.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Context } from '../../api/operation/operation.ts'
import { type Signer, createSigner } from '../../text/signed-text.ts'
import { FormSwitch, FormSwitches, isTerminalAgent } from '../person/known-person.ts'
import { type ConnectionStore, memoryConnectionStore } from '../lasting-connection.ts'
import { McpConnections } from './mcp-connections.ts'
import { mcpServerFor } from '../mcp/mcp-server.ts'
import { clientOf, OpenCalls } from '../mcp/open-calls.ts'
import type { RefusedCall } from '../refused-call.ts'
import { sessionBus } from '../resources/resource-updates.ts'

export interface McpHttpOptions {
  readonly progressMs?: number
  readonly onError?: (error: unknown) => void
  readonly onRefused?: (refused: RefusedCall) => void
  readonly closing?: AbortSignal | undefined
  /** The sessions that were at work when the hub started. */
  readonly foundAtWork?: readonly string[] | undefined
  /** Let the next hub restore the connections of this one; without them connections end with the hub. */
  readonly signer?: Signer | undefined
  readonly kept?: ConnectionStore | undefined
  readonly now?: (() => number) | undefined
}

/** Answers one request of a caller whose token was checked before. */
export type McpHandler = (request: Request, caller: Caller) => Promise<Response>

/**
 * MCP over HTTP: for clients, and for children that ask by a call (the mcp carrier). Each message gets its own server, so
 * nothing is kept between two messages. Clients of older protocols are the exception: without a lasting connection they
 * could not be sent forms or updates.
 */
export function mcpHandler(
  engine: Context['engine'],
  {
    progressMs = 15_000,
    onError = () => {},
    onRefused = () => {},
    closing,
    foundAtWork,
    signer = createSigner(randomUUID()),
    kept = memoryConnectionStore(),
    now,
  }: McpHttpOptions = {},
): McpHandler {
  const calls = new OpenCalls()
  const connections = new McpConnections({ signer, kept })
  const known = new MemoryByCaller(foundAtWork)
  const switches = new FormSwitches()
  return async (request, caller) => {
    const url = new URL(request.url)
    const toolset = toolsetOf(url, caller)
    if (!toolset) return unknownToolset()
    const ask = url.searchParams.get('ask') ?? undefined
    if (ask !== undefined && !isAsk(ask)) return wrongAsk()
    const operations = operationsFor(caller, toolset)
    const isTerminal = isTerminalAgent(request.headers.get('user-agent'))
    const parts = { engine, caller, operations, progressMs, onError, onRefused, closing, signer, now }
    // A child has no lasting connection: its call must reach any hub, also the next, and it has no person to ask.
    const lasting =
      caller.kind === 'session'
        ? undefined
        : await connections.answer(request, caller, (connection) => {
            const memory = new CallerMemory(connection.isRestored ? foundAtWork : [])
            const seat = { ask, isTerminal, forms: new FormSwitch() }
            return mcpServerFor({ ...parts, lasting: connection, memory, seat })
          })
    if (lasting) return lasting
    const faults: Error[] = []
    let report = (error: Error): unknown => faults.push(error)
    const own = calls.of(clientOf(caller, request.headers.get('mcp-session-id')))
    const seat = { ask, isTerminal, forms: switches.of(...clientIn(request, caller)) }
    const remembered = { calls: own, memory: known.of(caller.id), seat }
    const serve = createMcpHandler(() => mcpServerFor({ ...parts, ...remembered }), {
      responseMode: 'sse',
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onerror: (error) => report(error),
      bus: sessionBus(engine, caller),
    })
    const response = await serve.fetch(request)
    // A status below 500 is the client's fault, and a sentence is enough for the log; anything else is ours.
    const refused = (error: Error) =>
      onRefused({ caller: caller.name, method: '/mcp', reason: sentenceOf(error) })
    for (const fault of faults) (response.status < 500 ? refused : onError)(fault)
    report = onError
    return response
  }
}

/** It may contain text of the client, so it is limited. */
function sentenceOf({ message }: Error): string {
  return message.slice(0, MAX_REASON)
}

const MAX_REASON = 300

/** `/mcp?tools=all` selects other tools than the six. What a child is offered depends on its token. */
function toolsetOf({ searchParams }: URL, { kind }: Caller): Toolset | undefined {
  const named = searchParams.get('tools') ?? (kind === 'session' ? 'all' : 'claude')
  return TOOLSETS.find((one) => one === named)
}

function unknownToolset(): Response {
  const message = `tools must be one of ${TOOLSETS.join(', ')}, such as /mcp?tools=all; leave it out for the six claude tools.`
  return Response.json({ error: { code: 'invalid_input', message, field: 'tools' } }, { status: 400 })
}

/** A key that separates clients with the same token where no connection lasts, and whether this client connects anew. */
function clientIn({ headers }: Request, { id }: Caller): [client: string, begins: boolean] {
  const begins = headers.get('mcp-method') === 'server/discover'
  return [JSON.stringify([id, headers.get('user-agent')]), begins]
}

function wrongAsk(): Response {
  const error = { code: 'invalid_input', message: INVALID_ASK, field: 'ask' }
  return Response.json({ error }, { status: 400 })
}
