import type { IncomingMessage } from 'node:http'
import { rateLimited } from '../../async/rate-limit.ts'
import { httpErrorOf, isInternal } from '../error-response.ts'
import type { Arrival, Handler } from '../http/listener.ts'
import { refusal, refuse, reply } from '../http/reply.ts'
import { bearerToken, rejectionReason, isThroughProxy, unauthorized } from '../http/request-guards.ts'
import { RevokedTokens } from '../http/revoked-tokens.ts'
import { LOST_PAGE } from '../page/lost-page.ts'
import type { PageFiles } from '../page/page-files.ts'
import { SIGN_IN_PATH, type SignIns } from '../page/sign-in.ts'
import { type CallParts, operationRoute, rpcRoute } from './call-routes.ts'
import { A_MODEL, callerOf, type Identify } from './caller-of-request.ts'
import { closedPathReason, isOnSocketOnly } from './closed-paths.ts'
import { followInput, streamEvents } from './event-stream.ts'
import { childRoute, type McpHandler, mcpRoute } from './mcp-route.ts'
import {
  answersOpenly,
  type AskOfTerminal,
  signInRoute,
  TERMINAL_PATH,
  terminalRoute,
} from './open-routes.ts'
import type { Route } from './route.ts'

export interface HttpParts extends CallParts {
  readonly identify: Identify
  readonly metrics: () => Promise<string>
  readonly mcp: McpHandler
  /** The files that a browser is sent. */
  readonly page: PageFiles
  /** Absent if no browser may sign in. */
  readonly devices?: SignIns | undefined
  /** Takes the questions of CLIs in terminals. */
  readonly terminals?: AskOfTerminal | undefined
  /** The host name of a proxy in front of the hub; only devices are let in through it. */
  readonly proxyHost?: string | undefined
}

/** Checks the head of a request, then its token, then its path: without a token nobody learns which paths exist. */
export function httpHandler(parts: HttpParts): Handler {
  const routes: Record<string, readonly [methods: string, route: Route]> = {
    '/rpc': ['POST', rpcRoute(parts)],
    '/operation': ['POST', operationRoute(parts)],
    '/mcp': ['POST, GET, DELETE', mcpRoute(parts.mcp)],
    '/mcp/child': ['POST, GET, DELETE', childRoute(mcpRoute(parts.mcp))],
    '/events': ['GET', eventsRoute(parts)],
    '/metrics': ['GET', metricsRoute(parts)],
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
      if (isReading(request) && answersOpenly(parts.page, response, url)) return
      if (parts.devices && request.method === 'POST' && url.pathname === SIGN_IN_PATH)
        return await signInRoute(parts.devices, request, response, {
          from: isThroughProxy(head, parts.proxyHost) ? 'another machine' : 'this machine',
          signal: arrival.signal,
        })
      // No token: the socket is open to this user alone, and a relay can only ask.
      if (parts.terminals && url.pathname === TERMINAL_PATH && arrival.port === undefined)
        return await terminalRoute(parts.terminals, request, response, arrival)
      const caller = await callerOf(parts.identify, request, arrival, url)
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

function eventsRoute({ engine }: HttpParts): Route {
  return async (request, response, { caller, signal, url }) => {
    const [lastEventId] = request.headersDistinct['last-event-id'] ?? []
    await streamEvents(response, engine, { caller, signal }, followInput(url.searchParams, lastEventId))
  }
}

function metricsRoute({ metrics }: HttpParts): Route {
  return async (_, response) =>
    reply(response, 200, await metrics(), { 'content-type': 'text/plain; version=0.0.4' })
}

/** Limits the path in the log, because anybody can send one. */
const MAX_PATH = 200
const UNAUTHORIZED = { status: 401, headers: { 'www-authenticate': 'Bearer' } }
