import type { ServerResponse } from 'node:http'

/**
 * Checks the tokens of open requests every second. Streams and waits may last for hours, so a request whose token was
 * revoked is closed. A token is checked once for all of its requests: many pages of one browser cost as much as one.
 */
export class RevokedTokens {
  readonly #isValid: (token: string) => Promise<boolean>
  readonly #open = new Map<string, Set<ServerResponse>>()
  #timer: NodeJS.Timeout | undefined

  constructor(isValid: (token: string) => Promise<boolean>) {
    this.#isValid = isValid
  }

  watch(response: ServerResponse, token: string): void {
    this.#open.set(token, (this.#open.get(token) ?? new Set()).add(response))
    response.once('close', () => this.#forget(response, token))
    this.#timer ??= setInterval(() => void this.#checkAll(), CHECK_MS).unref()
  }

  async #checkAll(): Promise<void> {
    for (const [token, responses] of this.#open)
      if (!(await this.#isValid(token).catch(() => true)))
        for (const response of responses) response.destroy()
  }

  #forget(response: ServerResponse, token: string): void {
    const responses = this.#open.get(token)
    responses?.delete(response)
    if (responses?.size === 0) this.#open.delete(token)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const CHECK_MS = 1_000
