import type { ServerResponse } from 'node:http'

/**
 * Requests that are under way, each with a question: does its token still count? Streams and waits may last for hours, so it is
 * asked again and again, and whoever has lost the token loses the connection too.
 */
export class RevokedTokens {
  readonly #open = new Map<ServerResponse, () => Promise<boolean>>()
  #timer: NodeJS.Timeout | undefined

  watch(response: ServerResponse, stillCounts: () => Promise<boolean>): void {
    this.#open.set(response, stillCounts)
    response.once('close', () => this.#forget(response))
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  async #look(): Promise<void> {
    for (const [response, stillCounts] of this.#open)
      if (!(await stillCounts().catch(() => true))) response.destroy()
  }

  #forget(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const LOOK_MS = 1_000
