import { randomUUID } from 'node:crypto'
import type { Caller } from '../../callers/access-rules.ts'

/** The calls of one client that wait for an answer: each may be cancelled by a message of its own. */
export interface ClientCalls {
  readonly open: (id: string | number) => { signal: AbortSignal; close: () => void }
  readonly cancel: (id: string | number) => void
}

/** The calls of all clients whose messages each have a server of their own. */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>()

  of(client: string): ClientCalls {
    return {
      open: (id) => {
        const key = keyOf(client, id)
        const call = new AbortController()
        this.#open.set(key, call)
        const close = () => {
          if (this.#open.get(key) === call) this.#open.delete(key)
        }
        return { signal: call.signal, close }
      },
      cancel: (id) => this.#open.get(keyOf(client, id))?.abort(),
    }
  }
}

/**
 * What distinguishes a client from others with the same token: a child has a token of its own, an older protocol an id for its
 * connection, also when that is not known here any more. The newest protocol has neither: there a client ends its request, and
 * a cancellation could name a request of another client, so each message counts as a client of its own.
 */
export function clientOf({ id, kind }: Pick<Caller, 'id' | 'kind'>, connection: string | null): string {
  if (kind !== 'session' && connection === null) return randomUUID()
  return JSON.stringify([id, connection])
}

/** 1 and "1" are two ids. */
function keyOf(client: string, id: string | number): string {
  return JSON.stringify([client, id])
}
