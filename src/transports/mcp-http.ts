import { createMcpHandler } from '@modelcontextprotocol/server'
import { ASK_SENTENCE, isAsk } from '../ask.ts'
import { AtWorkByCaller } from '../api/at-work.ts'
import { operationsFor, TOOLSETS, type Toolset } from '../api/operations.ts'
import type { Identity } from '../callers/permission.ts'
import type { Context } from '../api/operation.ts'
import { FormSwitch, FormSwitches, isTerminalAgent } from './known-person.ts'
import { MAX_BODY, McpConnections } from './mcp-connections.ts'
import { mcpServerFor } from './mcp-server.ts'
import { clientOf, OpenCalls } from './open-calls.ts'
import { RoundStates } from './round-state.ts'
import type { Refused } from './refused.ts'
import { sessionBus } from './session-news.ts'
import type { WebHandler } from './web-request.ts'

export interface McpHttpOptions {
  readonly progressMs?: number
  readonly onError?: (error: unknown) => void
  readonly onRefused?: (refused: Refused) => void
  readonly closing?: AbortSignal | undefined
  /** What was at work when this began. */
  readonly foundAtWork?: readonly string[] | undefined
  /** What the rounds of calls are signed by; if left out, by nobody else's. */
  readonly roundsKey?: string | undefined
  readonly now?: (() => number) | undefined
}

/**
 * MCP over HTTP: for clients, and for children that ask by a call (the mcp carrier). Each message is answered by a server of
 * its own for whoever has the token, so nothing is kept between two of them; but for clients of older protocols, who are
 * asked and told things only if it is.
 */
export function mcpHandler(
  engine: Context['engine'],
  identityOf: (token: string) => Promise<Identity | undefined>,
  {
    progressMs = 15_000,
    onError = () => {},
    onRefused = () => {},
    closing,
    foundAtWork,
    roundsKey,
    now,
  }: McpHttpOptions = {},
): WebHandler {
  const calls = new OpenCalls()
  const connections = new McpConnections()
  const known = new AtWorkByCaller(foundAtWork)
  const switches = new FormSwitches()
  const rounds = new RoundStates(roundsKey)
  return async (request) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : await identityOf(token)
    if (!caller) return unauthorized()
    const url = new URL(request.url)
    const ask = url.searchParams.get('ask') ?? undefined
    if (ask !== undefined && !isAsk(ask)) return wrongAsk()
    const operations = operationsFor(caller, toolsetOf(url))
    const isTerminal = isTerminalAgent(request.headers.get('user-agent'))
    const parts = { engine, caller, operations, progressMs, onError, onRefused, closing, rounds, now }
    // A child's call must reach any hub, the next one too, and it has nobody to be asked.
    const lasting =
      caller.kind === 'session'
        ? undefined
        : await connections.answer(request, caller, (stream) =>
            mcpServerFor({ ...parts, stream, seat: { ask, isTerminal, forms: new FormSwitch() } }),
          )
    if (lasting) return lasting
    const faults: Error[] = []
    let tell = (error: Error): unknown => faults.push(error)
    const own = calls.of(clientOf(caller, request.headers.get('mcp-session-id')))
    const seat = { ask, isTerminal, forms: switches.of(...clientIn(request, caller)) }
    const kept = { calls: own, atWork: known.of(caller.id), seat }
    const serve = createMcpHandler(() => mcpServerFor({ ...parts, ...kept }), {
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

/** `/mcp?tools=claude`: for who wants fewer. */
function toolsetOf({ searchParams }: URL): Toolset {
  const wish = searchParams.get('tools')
  return TOOLSETS.find((one) => one === wish) ?? 'all'
}

/** What sets a client apart from others with the same token where nothing lasts, and whether it connects anew. */
function clientIn({ headers }: Request, { id }: Identity): [client: string, begins: boolean] {
  const begins = headers.get('mcp-method') === 'server/discover'
  return [JSON.stringify([id, headers.get('user-agent')]), begins]
}

function wrongAsk(): Response {
  const error = { code: 'invalid_input', message: ASK_SENTENCE, field: 'ask' }
  return Response.json({ error }, { status: 400 })
}

function unauthorized(): Response {
  const error = { code: 'forbidden', message: 'A token is needed: Authorization: Bearer TOKEN.' }
  return Response.json({ error }, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
}
