import type { ServerResponse } from 'node:http'

/**
 * Checks the tokens of open requests every second. Streams and waits may last for hours, so a request whose token was
 * revoked is closed.
 */
export class RevokedTokens {
  readonly #open = new Map<ServerResponse, () => Promise<boolean>>()
  #timer: NodeJS.Timeout | undefined

  watch(response: ServerResponse, isStillValid: () => Promise<boolean>): void {
    this.#open.set(response, isStillValid)
    response.once('close', () => this.#forget(response))
    this.#timer ??= setInterval(() => void this.#checkAll(), CHECK_MS).unref()
  }

  async #checkAll(): Promise<void> {
    for (const [response, isStillValid] of this.#open)
      if (!(await isStillValid().catch(() => true))) response.destroy()
  }

  #forget(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const CHECK_MS = 1_000
