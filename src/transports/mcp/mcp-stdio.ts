import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { CallerMemory } from '../../api/operation/caller-memory.ts'
import { failure } from './json-lines.ts'
import { type McpParts, mcpServerFor } from './mcp-server.ts'

export interface McpStdioParts extends Omit<McpParts, 'calls' | 'listened'> {
  readonly send: (message: object) => Promise<void>
}

/**
 * MCP over a connection that another may have opened: what was said at its beginning is said again here, and the answer to
 * it, which the client has, is kept back. The SDK decides by it which era the connection is of. Returns who takes the rest.
 */
export async function serveMcp(
  parts: McpStdioParts,
  opening: readonly unknown[],
): Promise<(message: unknown) => void> {
  const listened = new AbortController()
  const wire = new Wire(parts.send, listened)
  const lasting = { memory: new CallerMemory(), ...parts, listened: listened.signal }
  serveStdio(() => mcpServerFor(lasting), {
    transport: wire,
    onerror: parts.onError,
  })
  for (const message of opening) await wire.repeat(message)
  return (message) => wire.take(message)
}

class Wire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #send: (message: object) => Promise<void>
  /** Told instead of the client. */
  #answered: (() => void) | undefined

  readonly #listened: AbortController

  constructor(send: (message: object) => Promise<void>, listened: AbortController) {
    this.#send = send
    this.#listened = listened
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const answered = this.#answered
    if (!answered || 'method' in message) return this.#send(message)
    this.#answered = undefined
    answered()
  }

  /** A message whose answer, if it has one, the client has already. */
  async repeat(message: unknown): Promise<void> {
    const known = parseJSONRPCMessage(message)
    const answered = new Promise<void>((resolve) => {
      if ('id' in known) this.#answered = resolve
      else resolve()
    })
    this.onmessage?.(known)
    await answered
  }

  take(message: unknown): void {
    let known: JSONRPCMessage
    try {
      known = parseJSONRPCMessage(message)
    } catch {
      void this.#send(failure(idOf(message), -32600, 'This is no message of JSON-RPC 2.0.'))
      return
    }
    this.onmessage?.(known)
    // The SDK sees to it, and tells nobody.
    if ('method' in known && known.method === 'subscriptions/listen') this.#listened.abort()
  }
}

function idOf(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null
}
