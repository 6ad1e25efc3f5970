import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { ClientHub } from '../command.ts'

export type OnChange = (sessions: readonly Session[], questions: readonly PendingQuestion[]) => void

/** All sessions and open questions, read again where something changed. A hub that ends is waited for. */
export class WatchFeed {
  readonly #client: ClientHub
  readonly #onChange: OnChange
  readonly #sessions = new Map<string, Session>()

  constructor(client: ClientHub, onChange: OnChange) {
    this.#client = client
    this.#onChange = onChange
  }

  /** Everything anew, also what was removed. */
  async readAll(): Promise<void> {
    const { engine, context } = this.#client
    const sessions = await engine.listSessions(context, { limit: MAX_SESSIONS })
    this.#sessions.clear()
    await this.#take(sessions)
  }

  /** A wait that continues with the next hub says so only at its end, so the lists are read until a hub answers. */
  async readUntilBack(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      const isBack = await this.readAll().then(
        () => true,
        () => false,
      )
      if (isBack) return
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { engine, context } = this.#client
    while (!signal.aborted) {
      try {
        const seen = Object.fromEntries([...this.#sessions].map(([id, { lastSeq }]) => [id, lastSeq]))
        const changed = await engine.waitFor({ ...context, signal }, { seen, seconds: WAIT_SECONDS })
        if (signal.aborted) return
        await (changed.length === 0 || changed.length >= MANY ? this.readAll() : this.#take(changed))
        // What comes at the same time is read together: a screen is read by a person.
        await sleep(TOGETHER_MS, undefined, { signal })
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof AppError)) throw error
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
        await this.readAll().catch(() => {})
      }
    }
  }

  async #take(sessions: readonly Session[]): Promise<void> {
    const { engine, context } = this.#client
    for (const session of sessions) this.#sessions.set(session.id, session)
    this.#onChange([...this.#sessions.values()], await engine.pending(context, {}))
  }
}

const MAX_SESSIONS = 500
/** A wait reports at most so many changes at once, so that there may be more. */
const MANY = 100
const WAIT_SECONDS = 50
const TOGETHER_MS = 50
const RETRY_MS = 500
