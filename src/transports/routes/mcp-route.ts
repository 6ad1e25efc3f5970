import type { Caller } from '../../callers/access-rules.ts'
import { jsonBody } from '../http/json-body.ts'
import { refusal, refuse } from '../http/reply.ts'
import { serveWeb } from '../http/web-request.ts'
import type { Route } from './route.ts'

/** What answers requests at `/mcp`, for a caller whose token was checked. */
export type McpHandler = (request: Request, caller: Caller) => Promise<Response>

/**
 * A client's call that waits when the hub goes is answered as it stands. A stream is cut off, and so is a child's call: an
 * answer would be one to its question.
 */
export function mcpRoute(mcp: McpHandler): Route {
  return async (request, response, { signal, caller }) => {
    const isStream = request.method === 'GET' || request.headers['mcp-method'] === 'subscriptions/listen'
    if (isStream || caller.kind === 'session') signal.addEventListener('abort', () => response.destroy())
    const body = request.method === 'POST' ? await jsonBody(request, response) : ''
    if (body === undefined) return
    await serveWeb(request, response, (web) => mcp(web, caller), body)
  }
}

/** The only address that a child's settings allow it; other callers are refused there. */
export function childRoute(route: Route): Route {
  return async (request, response, caught) => {
    if (caught.caller.kind === 'session') return route(request, response, caught)
    refuse(request, response, refusal(403, 'forbidden', 'This is for child sessions; use /mcp.'))
  }
}
