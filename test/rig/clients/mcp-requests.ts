/** Requests of MCP over HTTP, as a client of the 2025 era sends them. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
export const PING = { jsonrpc: '2.0', id: 2, method: 'ping' }

export function request(method: string, body?: object, headers: Record<string, string> = {}): Request {
  const text = body && JSON.stringify(body)
  const signal = new AbortController().signal
  return new Request('http://127.0.0.1/mcp', {
    method,
    signal,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': `${text.length}` }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  })
}

export const inside = (id: string, version = '2025-11-25') => ({
  'mcp-session-id': id,
  'mcp-protocol-version': version,
})
