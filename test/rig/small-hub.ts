/** The hub's HTTP over a socket, in this process and without the rest of a hub. It can be cut off and begin again. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Identity } from '../../src/callers/permission.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createLog } from '../../src/log.ts'
import { httpHandler } from '../../src/transports/http-server.ts'
import type { Handler } from '../../src/transports/listener.ts'

export class SmallHub {
  /** By token. */
  readonly callers = new Map<string, Identity>()
  /** How many requests are being answered. */
  underWay = 0
  readonly #home: string
  readonly #handle: Handler
  #server: Server | undefined
  #count = 0

  constructor(home: string, engine: Engine) {
    this.#home = home
    this.#handle = httpHandler({
      mcp: async () => new Response(null, { status: 404 }),
      engine,
      identify: async (token) => this.callers.get(token),
      metrics: async () => '',
      log: createLog('error'),
    })
  }

  /** Each time under another name, as a new hub may have. */
  async open(): Promise<void> {
    const socket = join(this.#home, `hub-${this.#count++}.sock`)
    const server = createServer((request, response) => void this.#answer(request, response))
    this.#server = server
    server.listen(socket)
    await once(server, 'listening')
    await writeFile(join(this.#home, 'hub.json'), JSON.stringify({ socket }))
  }

  /** Cuts every connection. What says where it was stays. */
  async crash(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    this.#server?.closeAllConnections()
    await closed
    this.#server = undefined
  }

  async close(): Promise<void> {
    await this.crash()
    await rm(join(this.#home, 'hub.json'), { force: true })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    this.underWay++
    try {
      await this.#handle(request, response, { port: undefined, signal: gone.signal })
    } finally {
      this.underWay--
    }
  }
}
