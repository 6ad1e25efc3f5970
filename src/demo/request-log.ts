import { AppError } from '../base/errors.ts'
import type { ModelRequest } from './model-request.ts'

interface Waiter {
  matches: (request: ModelRequest) => boolean
  resolve: (request: ModelRequest) => void
  reject: (reason: unknown) => void
}

/** The requests so far, and the promises that wait for a matching request. */
export class RequestLog {
  readonly requests: ModelRequest[] = []
  readonly #waiters = new Set<Waiter>()
  #closed = false

  add(request: ModelRequest): void {
    this.requests.push(request)
    this.#wake()
  }

  abort(request: ModelRequest): void {
    request.aborted = true
    this.#wake()
  }

  async first(matches: Waiter['matches'], signal?: AbortSignal): Promise<ModelRequest> {
    const found = this.requests.find(matches)
    if (found) return found
    if (this.#closed) throw closedError()
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const abort = () => waiter.reject(signal?.reason)
      const leave = () => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        matches,
        resolve: (request) => (leave(), resolve(request)),
        reject: (reason) => (leave(), reject(reason)),
      }
      this.#waiters.add(waiter)
      signal?.addEventListener('abort', abort)
    })
  }

  close(): void {
    this.#closed = true
    for (const { reject } of this.#waiters) reject(closedError())
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      const request = this.requests.find(waiter.matches)
      if (request) waiter.resolve(request)
    }
  }
}

function closedError(): AppError {
  return new AppError('not_found', 'The scripted model was closed before such a request came.')
}
