import { setTimeout } from 'node:timers/promises'
import { type ApplicationKey, authorizationFor } from './application-key.ts'
import { encryptMessage, type SubscriptionKeys } from './encrypt-message.ts'
import type { PushOutcome, PushRequest } from './post-message.ts'
import type { AddressRules } from './push-address.ts'

/** Where the messages of a device are sent, and the keys that encrypt them. */
export interface PushTarget extends SubscriptionKeys {
  readonly endpoint: string
}

export interface PushMessage extends Pick<PushRequest, 'topic' | 'ttlSeconds' | 'urgency'> {
  readonly text: string
}

export interface PushQueueParts {
  /** Read before each attempt, so that nothing is sent to a device that was removed; undefined ends it. */
  readonly target: () => Promise<PushTarget | undefined>
  readonly key: () => Promise<ApplicationKey>
  readonly rules: AddressRules
  /** The subscription has ended. */
  readonly onGone: (target: PushTarget) => Promise<void>
  readonly onProblem: (reason: string) => void
  readonly over: AbortSignal
  /** The pauses before further attempts. */
  readonly retryMs?: readonly number[]
}

/** More than a person can follow: while a push service hangs, what is beyond is dropped. */
const MAX_WAITING = 50
const RETRY_MS = [2_000, 10_000]
/** All messages but very long ones have the same length. */
const PAD_TO = 512

/**
 * The messages to one device, sent one after the other. A message takes the place of an unsent one with its topic. A push
 * service that hangs or is gone costs a few attempts and this memory, and nothing waits for it.
 */
export class PushQueue {
  readonly #parts: PushQueueParts
  readonly #waiting = new Map<string, PushMessage>()
  #running: Promise<void> | undefined

  constructor(parts: PushQueueParts) {
    this.#parts = parts
  }

  add(message: PushMessage): void {
    const isNew = !this.#waiting.has(message.topic)
    if (isNew && this.#waiting.size >= MAX_WAITING)
      return this.#parts.onProblem('too many messages wait for it')
    this.#waiting.set(message.topic, message)
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  /** Whether a message with this topic was waiting: it will not be sent. */
  drop(topic: string): boolean {
    return this.#waiting.delete(topic)
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    for (;;) {
      const [message] = this.#waiting.values()
      if (!message || this.#parts.over.aborted) return
      this.#waiting.delete(message.topic)
      await this.#send(message).catch(() => this.#parts.onProblem('the message could not be made'))
    }
  }

  async #send(message: PushMessage): Promise<void> {
    const { retryMs = RETRY_MS, over, onProblem } = this.#parts
    for (const pause of [0, ...retryMs]) {
      if (pause > 0) await setTimeout(pause, undefined, { ref: false, signal: over }).catch(() => {})
      // Something newer has taken its place meanwhile.
      if (over.aborted || this.#waiting.has(message.topic)) return
      const outcome = await this.#attempt(message)
      if (outcome === 'refused') onProblem('it refused a message')
      if (outcome !== 'failed') return
    }
    onProblem('it could not be reached')
  }

  async #attempt({ text, topic, ttlSeconds, urgency }: PushMessage): Promise<PushOutcome | 'ended'> {
    const { key, rules, over, onGone } = this.#parts
    const target = await this.#parts.target()
    if (!target) return 'ended'
    const { endpoint } = target
    const authorization = authorizationFor(endpoint, await key(), Date.now())
    const body = encryptMessage(text, target, { padTo: PAD_TO })
    // Most hubs never send one, and need no HTTPS.
    const { postMessage } = await import('./post-message.ts')
    const outcome = await postMessage(
      { endpoint, body, authorization, topic, ttlSeconds, urgency },
      rules,
      over,
    )
    if (outcome === 'gone') await onGone(target)
    return outcome
  }
}
