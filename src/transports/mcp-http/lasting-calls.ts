import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Signer } from '../../text/signed-text.ts'
import { type Mark, withEventIds } from './event-ids.ts'
import type { LastingCall } from '../lasting-connection.ts'
import { type Cut, cutCallIn, eventIdOf, type ToolCall } from '../mcp/resumable-call.ts'

interface CallsParts {
  readonly signer: Signer
  /** What the connection is known by. */
  readonly connection: string
  readonly transport: WebStandardStreamableHTTPServerTransport
}

/** The tool calls of a connection whose answers can be asked for again: of this hub or of the next. */
export class LastingCalls {
  readonly #parts: CallsParts
  readonly #open = new Map<string | number, LastingCall>()

  constructor(parts: CallsParts) {
    this.#parts = parts
  }

  get(id: string | number): LastingCall | undefined {
    return this.#open.get(id)
  }

  /** The call that an event was of; undefined where it was none of this connection. */
  cutAt(eventId: string): Cut | undefined {
    return cutCallIn(this.#parts.signer, eventId, this.#parts.connection)
  }

  /** Makes a call, or goes on with one that was cut. */
  async answer(request: Request, message: ToolCall, cut?: Cut): Promise<Response> {
    const { signer, connection, transport } = this.#parts
    let sessionId = cut?.sessionId
    let mark: Mark | undefined
    const call: LastingCall = {
      goesOn: cut !== undefined,
      sessionId,
      begun: (begun) => {
        sessionId = begun
        mark?.()
      },
    }
    const onEnd = () => {
      mark = undefined
      if (this.#open.get(message.id) === call) this.#open.delete(message.id)
    }
    this.#open.set(message.id, call)
    const response = await transport.handleRequest(request, { parsedBody: message })
    if (!response.ok || !response.body) {
      onEnd()
      return response
    }
    const eventId = () => eventIdOf(signer, { connection, message, sessionId })
    const stream = withEventIds(response.body, eventId, { onMark: (made) => (mark = made), onEnd })
    return new Response(stream, response)
  }
}
