/** The hub's HTTP over a socket, in this process and without the rest of a hub. It can be cut off and begin again. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { CallerClaim } from '../../../src/callers/caller-claim.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { createLog } from '../../../src/base/log.ts'
import { VERSION } from '../../../src/base/version.ts'
import { removeHubRecord, writeHubRecord } from '../../../src/hub/hub-record.ts'
import { httpHandler } from '../../../src/transports/routes/http-handler.ts'
import type { Handler } from '../../../src/transports/http/listener.ts'

export class SmallHub {
  /** By token. */
  readonly callers = new Map<string, Caller>()
  /** How many requests are being answered. */
  underWay = 0
  /** What callers said of themselves. */
  readonly claims: CallerClaim[] = []
  readonly #home: string
  readonly #handle: Handler
  #server: Server | undefined
  #count = 0
  #hold: (() => void) | undefined
  #waits = new AbortController()

  constructor(home: string, engine: Engine) {
    this.#home = home
    this.#handle = httpHandler({
      onRefused: () => {},
      mcp: async () => new Response(null, { status: 404 }),
      engine,
      identify: async (token, claim) => {
        this.claims.push(claim)
        return this.callers.get(token)
      },
      metrics: async () => '',
      page: () => undefined,
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
    await writeHubRecord(this.#home, { url: '', socket, pid: process.pid, version: VERSION })
  }

  /** The next request is taken and never answered. Resolves when it has come. */
  holdNext(): Promise<void> {
    return new Promise((resolve) => {
      this.#hold = resolve
    })
  }

  /** As a hub does that is about to go: what waits returns with what there is. */
  endWaits(): void {
    this.#waits.abort()
    this.#waits = new AbortController()
  }

  /** Cuts every connection. What says where it was stays, or says already where the next one is. */
  async crash({ next = false } = {}): Promise<void> {
    const server = this.#server
    if (next) await this.open()
    const closed = server && once(server, 'close')
    server?.close()
    server?.closeAllConnections()
    await closed
    if (!next) this.#server = undefined
  }

  async close(): Promise<void> {
    await this.crash()
    await removeHubRecord(this.#home)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const hold = this.#hold
    this.#hold = undefined
    if (hold) return hold()
    this.underWay++
    try {
      const signal = AbortSignal.any([gone.signal, this.#waits.signal])
      await this.#handle(request, response, { port: undefined, noteToken: () => {}, signal })
    } finally {
      this.underWay--
    }
  }
}
