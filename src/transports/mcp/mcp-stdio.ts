import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { CallerMemory } from '../../api/operation/caller-memory.ts'
import { failure } from './json-lines.ts'
import type { McpParts } from './mcp-parts.ts'
import { mcpServerFor } from './mcp-server.ts'

export interface McpStdioParts extends Omit<McpParts, 'calls' | 'listened'> {
  readonly send: (message: object) => Promise<void>
}

/**
 * MCP over a connection that was already opened elsewhere: the opening messages are repeated here, because the SDK derives the
 * era of the connection from them, and their answers, which the client has, are not sent. Returns the function that takes all
 * further messages.
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
  /** Called instead of sending an answer that the client already has. */
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

  /** Takes a message whose answer, if any, the client already has. */
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
      void this.#send(failure(idOf(message), -32600, 'This is not a message of JSON-RPC 2.0.'))
      return
    }
    this.onmessage?.(known)
    // The SDK handles it, and emits no event.
    if ('method' in known && known.method === 'subscriptions/listen') this.#listened.abort()
  }
}

function idOf(message: unknown): string | number | null {
  if (typeof message !== 'object' || message === null || !('id' in message)) return null
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null
}
