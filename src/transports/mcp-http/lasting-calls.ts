import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Signer } from '../../text/signed-text.ts'
import { type Mark, withEventIds } from './event-ids.ts'
import type { LastingCall } from '../lasting-connection.ts'
import { type Cut, cutCallIn, eventIdOf, type ToolCall } from '../mcp/resumable-call.ts'

interface CallsDeps {
  readonly signer: Signer
  /** The key of the connection. */
  readonly connection: string
  readonly transport: WebStandardStreamableHTTPServerTransport
}

/** The tool calls of a connection whose responses can be requested again, from this hub or the next. */
export class LastingCalls {
  readonly #parts: CallsDeps
  readonly #open = new Map<string | number, LastingCall>()

  constructor(parts: CallsDeps) {
    this.#parts = parts
  }

  get(id: string | number): LastingCall | undefined {
    return this.#open.get(id)
  }

  /** The call to which an event belongs; undefined if it is not a call of this connection. */
  cutAt(eventId: string): Cut | undefined {
    return cutCallIn(this.#parts.signer, eventId, this.#parts.connection)
  }

  /** Makes a call, or resumes a call whose stream was cut. */
  async answer(request: Request, message: ToolCall, cut?: Cut): Promise<Response> {
    const { signer, connection, transport } = this.#parts
    let sessionId = cut?.sessionId
    let mark: Mark | undefined
    const call: LastingCall = {
      isResumed: cut !== undefined,
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
