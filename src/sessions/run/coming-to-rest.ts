import type { SessionEvent } from '../../events/session-event.ts'
import { isBusy, type SessionState } from '../record/session-state.ts'

/**
 * When something was lost of what a child said, its turn is interrupted, and the end of the turn closes the matter. But what
 * was lost may have been that end itself, the echo of a prompt or the end of an agent: then an interrupt brings nothing, and
 * whoever waits for the session would wait for ever. So a child that is not at rest after a while is `stuck`. A turn that
 * begins after the loss is none of that, but for agents that were there before.
 */
export class ComingToRest {
  /** Resolves when the child had its time; never when it came to rest. */
  readonly stuck: Promise<void>
  readonly #state: () => SessionState
  readonly #isTold: () => boolean
  readonly #ms: number
  #resolve: () => void = () => {}
  #lost = false
  #timer: NodeJS.Timeout | undefined

  /** Its time begins when it was told to stop: on a full disk that takes until there is space. */
  constructor(state: () => SessionState, isTold: () => boolean, ms = REST_MS) {
    this.#state = state
    this.#isTold = isTold
    this.#ms = ms
    this.stuck = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  /** To be told what was stored of its output. */
  take(events: readonly SessionEvent[]): void {
    for (const { type } of events) {
      if (type === 'line.unparsed') this.#lost = true
      if (type === 'turn.started') this.#lost &&= this.#state().agents.length > 0
    }
    this.#goOn()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #goOn(): void {
    this.#lost &&= isBusy(this.#state())
    if (!this.#lost) this.end()
    else this.#timer ??= this.#start(this.#isTold())
  }

  #start(told: boolean): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined
      if (told && isBusy(this.#state())) this.#resolve()
      else this.#goOn()
    }, this.#ms)
  }
}

const REST_MS = 5_000
