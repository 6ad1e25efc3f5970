import { createMcpHandler } from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { INVALID_ASK, isAsk } from '../../base/ask-setting.ts'
import { CallerMemory, MemoryByCaller } from '../../api/operation/caller-memory.ts'
import { operationsFor, TOOLSETS, type Toolset } from '../../api/operations.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Context } from '../../api/operation/operation.ts'
import { type Signer, createSigner } from '../../text/signed-text.ts'
import { FormSwitch, FormSwitches, isTerminalAgent } from '../person/known-person.ts'
import { type KeptConnections, keptInMemory } from '../lasting-connection.ts'
import { MAX_BODY, McpConnections } from './mcp-connections.ts'
import { mcpServerFor } from '../mcp/mcp-server.ts'
import { clientOf, OpenCalls } from '../mcp/open-calls.ts'
import type { Refused } from '../refused-call.ts'
import { sessionBus } from '../resources/resource-updates.ts'

export interface McpHttpOptions {
  readonly progressMs?: number
  readonly onError?: (error: unknown) => void
  readonly onRefused?: (refused: Refused) => void
  readonly closing?: AbortSignal | undefined
  /** What was at work when this began. */
  readonly foundAtWork?: readonly string[] | undefined
  /** What the next hub knows the connections of this one by; without them they end with it. */
  readonly signer?: Signer | undefined
  readonly kept?: KeptConnections | undefined
  readonly now?: (() => number) | undefined
}

/** Answers one request of a caller whose token was checked before. */
export type McpHandler = (request: Request, caller: Caller) => Promise<Response>

/**
 * MCP over HTTP: for clients, and for children that ask by a call (the mcp carrier). Each message is answered by a server of
 * its own for whoever has the token, so nothing is kept between two of them; but for clients of older protocols, who are
 * asked and told things only if it is.
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
    kept = keptInMemory(),
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
    // A child's call must reach any hub, the next one too, and it has nobody to be asked.
    const lasting =
      caller.kind === 'session'
        ? undefined
        : await connections.answer(request, caller, (connection) => {
            const memory = new CallerMemory(connection.again ? foundAtWork : [])
            const seat = { ask, isTerminal, forms: new FormSwitch() }
            return mcpServerFor({ ...parts, lasting: connection, memory, seat })
          })
    if (lasting) return lasting
    const faults: Error[] = []
    let tell = (error: Error): unknown => faults.push(error)
    const own = calls.of(clientOf(caller, request.headers.get('mcp-session-id')))
    const seat = { ask, isTerminal, forms: switches.of(...clientIn(request, caller)) }
    const remembered = { calls: own, memory: known.of(caller.id), seat }
    const serve = createMcpHandler(() => mcpServerFor({ ...parts, ...remembered }), {
      responseMode: 'sse',
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_BODY,
      onerror: (error) => tell(error),
      bus: sessionBus(engine, caller),
    })
    const response = await serve.fetch(request)
    // What was answered with a no is the client's fault, and a sentence is enough; anything else is ours.
    const refused = (error: Error) =>
      onRefused({ caller: caller.name, method: '/mcp', reason: sentenceOf(error) })
    for (const fault of faults) (response.status < 500 ? refused : onError)(fault)
    tell = onError
    return response
  }
}

/** The client's words may be in it. */
function sentenceOf({ message }: Error): string {
  return message.slice(0, MAX_REASON)
}

const MAX_REASON = 300

/** `/mcp?tools=all`: for who wants others than the six. What a child is offered, its token says. */
function toolsetOf({ searchParams }: URL, { kind }: Caller): Toolset | undefined {
  const named = searchParams.get('tools') ?? (kind === 'session' ? 'all' : 'claude')
  return TOOLSETS.find((one) => one === named)
}

function unknownToolset(): Response {
  const message = `tools must be one of ${TOOLSETS.join(', ')}, such as /mcp?tools=all; leave it out for the six of claude.`
  return Response.json({ error: { code: 'invalid_input', message, field: 'tools' } }, { status: 400 })
}

/** What sets a client apart from others with the same token where nothing lasts, and whether it connects anew. */
function clientIn({ headers }: Request, { id }: Caller): [client: string, begins: boolean] {
  const begins = headers.get('mcp-method') === 'server/discover'
  return [JSON.stringify([id, headers.get('user-agent')]), begins]
}

function wrongAsk(): Response {
  const error = { code: 'invalid_input', message: INVALID_ASK, field: 'ask' }
  return Response.json({ error }, { status: 400 })
}
