import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { HubProcess } from './hub-process.ts'

/** Calls of a hub on its socket, as `plexus mcp` makes them, on connections that are kept. */
export class HubRpc {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #socket: string
  readonly #headers: Record<string, string>

  /** A model, unless a person is meant. */
  constructor({ socket, tokenFile }: HubProcess, { isPerson = false } = {}) {
    this.#socket = socket
    this.#headers = {
      authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
      'content-type': 'application/json',
      ...(isPerson ? {} : { 'x-plexus-model': '1' }),
    }
  }

  call<T>(method: string, params: object): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { ...this.#headers, 'content-length': Buffer.byteLength(body) }
    const how = { method: 'POST', path: '/rpc', headers, agent: this.#agent, socketPath: this.#socket }
    return new Promise((resolve, reject) => {
      const asked = request(how, (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .once('error', reject)
          .once('end', () => {
            const { result, error }: { result?: T; error?: object } = JSON.parse(text || '{}')
            if (result === undefined) reject(new Error(`${method} failed: ${JSON.stringify(error)}`))
            else resolve(result)
          })
      })
      // The hub may have closed the kept connection before it got the request.
      const again = () => this.call<T>(method, params)
      asked.once('error', (error) => (asked.reusedSocket ? resolve(again()) : reject(error))).end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
