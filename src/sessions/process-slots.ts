import type { SessionKey } from '../base/ids.ts'
import { PromiseQueue } from '../async/promise-queue.ts'
import { AppError } from '../base/errors.ts'
import type { LiveSession } from './live-session.ts'

/** The part of a session with a process that counts here. */
type SlotHolder = Pick<LiveSession, 'session' | 'idleMs' | 'stopIfIdle'>

/** Limits how many processes run at once. */
export class ProcessSlots {
  readonly #max: number
  readonly #living: () => readonly SlotHolder[]
  /** Sessions that were admitted and have no process yet. */
  readonly #admitted = new Set<string>()
  readonly #admissions = new PromiseQueue()

  constructor(max: number, living: () => readonly SlotHolder[]) {
    this.#max = max
    this.#living = living
  }

  /** One admission at a time. The caller calls the returned function when the process exists, and so counts by itself. */
  admit(sessionId: SessionKey): Promise<() => void> {
    return this.#admissions.run(async () => {
      const living = this.#living()
      const taken = new Set([...living.map(({ session }) => session.id), ...this.#admitted]).size
      if (taken >= this.#max) await this.#stopIdlest(living)
      this.#admitted.add(sessionId)
      return () => void this.#admitted.delete(sessionId)
    })
  }

  /** Stops the process that has been idle longest; if none is idle, the new process is refused. */
  async #stopIdlest(living: readonly SlotHolder[]): Promise<void> {
    const idle = living.filter(({ idleMs }) => idleMs !== undefined)
    for (const session of idle.toSorted((a, b) => (b.idleMs ?? 0) - (a.idleMs ?? 0)))
      if (await session.stopIfIdle(0)) return
    throw new AppError(
      'too_many_sessions',
      `${this.#max} sessions are at work, which is the limit (MAX_SESSIONS); wait until a session ends, or stop a session.`,
    )
  }
}
