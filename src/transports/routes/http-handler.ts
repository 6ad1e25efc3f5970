import type { IncomingMessage, ServerResponse } from 'node:http'
import { MemoryByCaller } from '../../api/operation/caller-memory.ts'
import { type CallerClaim, claimFromHeaders } from '../../callers/caller-claim.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { asksOnly } from '../../callers/scopes.ts'
import type { Context } from '../../api/operation/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Log } from '../../base/log.ts'
import { rateLimited } from '../../async/rate-limit.ts'
import { VERSION } from '../../base/version.ts'
import { httpErrorOf, isInternal } from '../error-response.ts'
import {
  bearerToken,
  rejectionReason,
  isThroughProxy,
  isTooDeep,
  unauthorized,
} from '../http/request-guards.ts'
import type { Arrival, Handler } from '../http/listener.ts'
import type { PageFiles } from '../page/page-files.ts'
import { LOST_PAGE } from '../page/lost-page.ts'
import { SIGN_IN_PATH, type SignIns, signInBy } from '../page/sign-in.ts'
import { isSameUser } from '../../system/peer-owner.ts'
import {
  type HookReply,
  NO_OPINION,
  type RelayedAsk,
  relayedAsk,
} from '../../engine/terminals/hook-question.ts'
import { jsonBody } from '../http/json-body.ts'
import { readBody } from '../http/read-body.ts'
import { refusal, refuse, reply, replyJson } from '../http/reply.ts'
import type { RefusedCall } from '../refused-call.ts'
import { RevokedTokens } from '../http/revoked-tokens.ts'
import { answerRpc } from './rpc.ts'
import { streamRpc } from './rpc-stream.ts'
import { followInput, streamEvents } from './event-stream.ts'
import { answerOperation } from './operation-route.ts'
import { serveWeb } from '../http/web-request.ts'

/** What answers requests at `/mcp`, for a caller whose token was checked. */
type McpHandler = (request: Request, caller: Caller) => Promise<Response>

export interface HttpParts {
  readonly engine: Context['engine']
  readonly identify: (token: string, claim: CallerClaim) => Promise<Caller | undefined>
  readonly metrics: () => Promise<string>
  readonly log: Log
  /** Called when a caller is denied access. */
  readonly onRefused: (refused: RefusedCall) => void
  /** The sessions that were at work when the hub started. */
  readonly foundAtWork?: readonly string[] | undefined
  readonly mcp: McpHandler
  /** The files that a browser is sent. */
  readonly page: PageFiles
  /** Absent if no browser may sign in. */
  readonly devices?: SignIns | undefined
  /** Takes the questions of CLIs in terminals. */
  readonly terminals?: ((asked: RelayedAsk, gone: AbortSignal) => Promise<HookReply | undefined>) | undefined
  /** The host name of a proxy in front of the hub; only devices are let in through it. */
  readonly proxyHost?: string | undefined
}

type Caught = Arrival & { readonly caller: Caller; readonly url: URL }
type Route = (request: IncomingMessage, response: ServerResponse, caught: Caught) => Promise<void>

/** Checks the head of a request, then its token, then its path: without a token nobody learns which paths exist. */
export function httpHandler(parts: HttpParts): Handler {
  const routes: Record<string, readonly [methods: string, route: Route]> = {
    '/rpc': ['POST', rpcRoute(parts)],
    '/operation': ['POST', operationRoute(parts)],
    '/mcp': ['POST, GET, DELETE', mcpRoute(parts.mcp)],
    '/mcp/child': ['POST, GET, DELETE', childRoute(mcpRoute(parts.mcp))],
    '/events': ['GET', (request, response, caught) => eventsRoute(parts.engine, request, response, caught)],
    '/metrics': ['GET', (_, response) => metricsRoute(parts, response)],
  }
  const revoked = new RevokedTokens(async (token) => (await parts.identify(token, A_MODEL)) !== undefined)
  parts.devices?.onRemoved(() => void revoked.checkAll())
  const refusedToken = rateLimited(parts.log.warn)
  return async (request, response, arrival) => {
    try {
      const head = headOf(request, arrival)
      const why = rejectionReason(head, parts.proxyHost)
      if (why !== undefined) return refuse(request, response, refusal(403, 'forbidden', why))
      // Concatenated, not resolved: `//x/rpc` is a path here, not a host.
      const url = new URL(`http://127.0.0.1${request.url}`)
      if (isReading(request) && answersOpenly(parts, response, url)) return
      if (parts.devices && request.method === 'POST' && url.pathname === SIGN_IN_PATH)
        return await signInRoute(parts.devices, request, response, {
          from: isThroughProxy(head, parts.proxyHost) ? 'another machine' : 'this machine',
          signal: arrival.signal,
        })
      // No token: the socket is open to this user alone, and a relay can only ask.
      if (parts.terminals && url.pathname === TERMINAL_PATH && arrival.port === undefined)
        return await terminalRoute(parts.terminals, request, response, arrival)
      const caller = await callerOf(parts, request, arrival, url)
      // Through the proxy only devices: the tokens of the operator and of clients are for this machine.
      const isLetIn = caller && (caller.kind === 'device' || !isThroughProxy(head, parts.proxyHost))
      if (!isLetIn) {
        const { authorization } = request.headers
        if (authorization === undefined && isReading(request) && wantsPage(request))
          return reply(response, 404, LOST_PAGE.body, LOST_PAGE.headers)
        if (authorization !== undefined)
          refusedToken('An unknown token was refused.', { path: url.pathname.slice(0, MAX_PATH) })
        return refuse(request, response, { ...UNAUTHORIZED, body: { error: unauthorized(authorization) } })
      }
      arrival.noteToken()
      revoked.watch(response, bearerToken(request.headers.authorization) ?? '', {
        isOfDevice: caller.kind === 'device',
      })
      const [methods, route] = routes[url.pathname] ?? []
      if (!methods || !route || isOnSocketOnly(url, arrival))
        return refuse(request, response, refusal(404, 'not_found', 'There is no such path.'))
      if (!methods.split(', ').includes(request.method ?? ''))
        return refuse(request, response, {
          ...refusal(405, 'invalid_input', `This path takes only ${methods}.`),
          headers: { allow: methods },
        })
      const closed = closedPathReason(caller, url)
      if (closed !== undefined) {
        parts.onRefused({ caller: caller.name, method: url.pathname, reason: closed })
        return refuse(request, response, refusal(403, 'forbidden', closed))
      }
      await route(request, response, { ...arrival, caller, url })
    } catch (error) {
      if (isInternal(error) && !arrival.signal.aborted)
        parts.log.error('A request failed.', { path: request.url?.split('?')[0], error })
      if (response.headersSent) response.destroy()
      else refuse(request, response, httpErrorOf(error))
    }
  }
}

function headOf({ headersDistinct, url }: IncomingMessage, { port }: Arrival) {
  const { host = [], origin = [], 'sec-fetch-site': site } = headersDistinct
  return { hosts: host, origins: origin, fetchSite: site?.join(), target: url ?? '', port }
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A person has typed an address into a browser; whatever it is, the answer is the same, and leads to the page. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

/** Whether the path needs no token; if so, it is answered, for everybody in the same way. */
function answersOpenly({ page }: HttpParts, response: ServerResponse, { pathname }: URL): boolean {
  const file = page(pathname)
  if (file) reply(response, 200, file.body, file.headers)
  else if (pathname === '/healthz') replyJson(response, 200, { status: 'ok', version: VERSION })
  else return false
  return true
}

/** What clients of ours call has no promise for anybody else. */
function isOnSocketOnly({ pathname }: URL, { port }: Arrival): boolean {
  return pathname === '/operation' && port !== undefined
}

/**
 * A child's token is for its own questions and, if nested, for the sessions below it; the metrics cover all sessions. The
 * token of a device is for the page, which a person looks at; where models call, it is refused.
 */
function closedPathReason(caller: Caller, { pathname, searchParams }: URL): string | undefined {
  if (caller.kind === 'device') return PAGE_PATHS.includes(pathname) ? undefined : NOT_FOR_DEVICES
  if (pathname === '/metrics') return caller.kind === 'session' ? NOT_FOR_CHILDREN : undefined
  // The feed of all sessions is for those who watch them; a nested session follows each that it started.
  const isFeed = pathname === '/events' && caller.kind === 'session' && !searchParams.has('session')
  return isFeed || (pathname === '/events' && asksOnly(caller)) ? NOT_FOR_CHILDREN : undefined
}

/** Limits the path in the log, because anybody can send one. */
const MAX_PATH = 200
/** A client of MCP counts as a model, whatever its headers claim. */
const MCP_PATHS: readonly string[] = ['/mcp', '/mcp/child']
const A_MODEL: CallerClaim = { model: true }
/** What the page calls. */
const PAGE_PATHS: readonly string[] = ['/rpc', '/events']
const NOT_FOR_DEVICES = 'The token of a device is for the page only.'
const TERMINAL_PATH = '/terminal/ask'
const NOT_FOR_CHILDREN = 'The token of a child session is not valid for this path.'

/** A child's token is accepted only from our own user: a child sends it to whatever program listens on our port. */
async function callerOf(
  { identify }: HttpParts,
  { headers, socket }: IncomingMessage,
  { port }: Arrival,
  { pathname }: URL,
): Promise<Caller | undefined> {
  const token = bearerToken(headers.authorization)
  const claim = MCP_PATHS.includes(pathname) ? A_MODEL : claimFromHeaders(headers)
  const caller = token === undefined ? undefined : await identify(token, claim)
  if (caller?.kind !== 'session' || port === undefined || (await isSameUser(socket))) return caller
  return undefined
}

async function signInRoute(
  devices: SignIns,
  request: IncomingMessage,
  response: ServerResponse,
  way: Parameters<typeof signInBy>[2],
): Promise<void> {
  const body = await jsonBody(request, response)
  if (body !== undefined) replyJson(response, 200, await signInBy(devices, body, way))
}

/**
 * A relay asks, and waits. What is not understood is no opinion, and so is every failure: an error would be one too. When the
 * hub ends there is no reply, and the relay asks the next hub.
 */
async function terminalRoute(
  ask: NonNullable<HttpParts['terminals']>,
  request: IncomingMessage,
  response: ServerResponse,
  { signal }: Arrival,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request, response) : undefined
  const asked = body === undefined || isTooDeep(body) ? undefined : relayedAsk(request.headers, body)
  const answer = asked ? await ask(asked, signal) : NO_OPINION
  if (answer) replyJson(response, 200, answer)
  else response.destroy()
}

function rpcRoute({ engine, log, onRefused, foundAtWork }: HttpParts): Route {
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

function operationRoute({ engine, log, onRefused }: HttpParts): Route {
  const onError = (error: unknown, method: string) => log.error('A call failed.', { method, error })
  return async (request, response, call) => {
    const body = await jsonBody(request, response)
    if (body !== undefined) await answerOperation(response, { engine, onError, onRefused }, call, body)
  }
}

/**
 * A client's call that waits when the hub goes is answered as it stands. A stream is cut off, and so is a child's call: an
 * answer would be one to its question.
 */
function mcpRoute(mcp: McpHandler): Route {
  return async (request, response, { signal, caller }) => {
    const isStream = request.method === 'GET' || request.headers['mcp-method'] === 'subscriptions/listen'
    if (isStream || caller.kind === 'session')
      signal.addEventListener('abort', () => response.destroy(), { once: true })
    const body = request.method === 'POST' ? await jsonBody(request, response) : ''
    if (body === undefined) return
    await serveWeb(request, response, (web) => mcp(web, caller), body)
  }
}

/** The only address that a child's settings allow it; other callers are refused there. */
function childRoute(route: Route): Route {
  return async (request, response, caught) => {
    if (caught.caller.kind === 'session') return route(request, response, caught)
    refuse(request, response, refusal(403, 'forbidden', 'This is for child sessions; use /mcp.'))
  }
}

async function metricsRoute({ metrics }: HttpParts, response: ServerResponse): Promise<void> {
  reply(response, 200, await metrics(), { 'content-type': 'text/plain; version=0.0.4' })
}

async function eventsRoute(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  { caller, signal, url }: Caught,
): Promise<void> {
  const [lastEventId] = request.headersDistinct['last-event-id'] ?? []
  await streamEvents(response, engine, { caller, signal }, followInput(url.searchParams, lastEventId))
}

const UNAUTHORIZED = { status: 401, headers: { 'www-authenticate': 'Bearer' } }
