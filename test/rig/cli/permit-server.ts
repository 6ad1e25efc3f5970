/** The mcp carrier on a port of its own: as much of a hub as a child needs to ask. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { Asking, Engine } from '../../../src/engine/engine.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import {
  type McpHandler,
  mcpHandler,
  type McpHttpOptions,
} from '../../../src/transports/mcp-http/mcp-http.ts'
import { bearerToken } from '../../../src/transports/http/request-guards.ts'
import { serveWeb } from '../../../src/transports/http/web-request.ts'

export class PermitServer {
  readonly #store: Store
  readonly #options: McpHttpOptions
  #server: Server | undefined
  #handler: McpHandler | undefined
  port: number | undefined

  constructor(store: Store, options: McpHttpOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** Undefined until it listens. */
  get url(): string | undefined {
    return this.port === undefined ? undefined : `http://127.0.0.1:${this.port}/mcp`
  }

  get isAnswering(): boolean {
    return this.#handler !== undefined
  }

  /** A hub takes the port of its predecessor, and answers later. */
  async listen(port = 0): Promise<void> {
    this.#server = createServer((request, response) => {
      const handler = this.#handler
      if (!handler) return void response.writeHead(503).end()
      const answer = async (web: Request): Promise<Response> => {
        const caller = await this.#identityOf(bearerToken(request.headers.authorization) ?? '')
        return caller ? handler(web, caller) : new Response(null, { status: 401 })
      }
      serveWeb(request, response, answer).catch(() => response.destroy())
    })
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (typeof address === 'object') this.port = address?.port
  }

  answerFrom(engine: Engine & Asking): void {
    this.#handler = mcpHandler(engine, this.#options)
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  async #identityOf(token: string): Promise<Caller | undefined> {
    const caller = await this.#store.callers.byTokenHash(createHash('sha256').update(token).digest('hex'))
    return caller && caller.revokedAt === undefined
      ? { ...caller, person: caller.kind === 'operator' }
      : undefined
  }
}
