/** A request as the client would send it. It ends with `instead`, the request that it replaces. */
export function post(id: string, instead?: Request): Request {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': id,
  }
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers,
    ...(instead ? { signal: instead.signal } : {}),
  })
}

export function notFound(): Response {
  const message = 'There is no such connection here, or it was ended; open a new connection with initialize.'
  return Response.json({ jsonrpc: '2.0', error: { code: -32001, message }, id: null }, { status: 404 })
}

export function noSuchEvent(): Response {
  const message = 'Last-Event-ID is not an event of this connection; make the call again.'
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 400 })
}

/** The body of a request that may open a connection. The newest protocol has no such request. */
export async function shortBodyOf(request: Request): Promise<unknown> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (request.method !== 'POST' || !(length <= MAX_INITIALIZE)) return undefined
  return request
    .clone()
    .json()
    .catch(() => undefined)
}

const MAX_INITIALIZE = 64 << 10
