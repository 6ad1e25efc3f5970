import type { ServerResponse } from 'node:http'

interface Open {
  readonly responses: Set<ServerResponse>
  readonly isOfDevice: boolean
}

/**
 * Checks the tokens of open requests. Streams and waits may last for hours, so a request whose token was revoked is closed. A
 * token is checked once for all of its requests: many pages of one browser cost as much as one.
 *
 * Most are checked every second, because a token can end with its file. That of a device ends when the device is removed, which
 * calls `checkAll`, or weeks after its last use, so that it is checked every minute: an idle hub with many pages has nothing to
 * do for them.
 */
export class RevokedTokens {
  readonly #isValid: (token: string) => Promise<boolean>
  readonly #open = new Map<string, Open>()
  #timer: NodeJS.Timeout | undefined
  #rounds = 0

  constructor(isValid: (token: string) => Promise<boolean>) {
    this.#isValid = isValid
  }

  watch(response: ServerResponse, token: string, { isOfDevice = false } = {}): void {
    const { responses } = this.#open.get(token) ?? this.#add(token, isOfDevice)
    responses.add(response)
    response.once('close', () => this.#forget(response, token))
    this.#timer ??= setInterval(() => void this.#nextRound(), CHECK_MS).unref()
  }

  checkAll(): Promise<void> {
    return this.#check(() => true)
  }

  #nextRound(): Promise<void> {
    this.#rounds += 1
    const isLong = this.#rounds % DEVICE_ROUNDS === 0
    return this.#check(({ isOfDevice }) => isLong || !isOfDevice)
  }

  async #check(isDue: (open: Open) => boolean): Promise<void> {
    for (const [token, open] of this.#open)
      if (isDue(open) && !(await this.#isValid(token).catch(() => true)))
        for (const response of open.responses) response.destroy()
  }

  #add(token: string, isOfDevice: boolean): Open {
    const open = { responses: new Set<ServerResponse>(), isOfDevice }
    this.#open.set(token, open)
    return open
  }

  #forget(response: ServerResponse, token: string): void {
    const responses = this.#open.get(token)?.responses
    responses?.delete(response)
    if (responses?.size === 0) this.#open.delete(token)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const CHECK_MS = 1_000
const DEVICE_ROUNDS = 60
