import { PromiseQueue } from '../async/promise-queue.ts'
import { AppError } from '../base/errors.ts'
import type { LiveSession } from './run/live-session.ts'

/** How many processes there may be at once, and who gets the next place. */
export class ProcessSlots {
  readonly #most: number
  readonly #living: () => readonly LiveSession[]
  /** Those who may start a process and have not yet. */
  readonly #promised = new Set<string>()
  readonly #admissions = new PromiseQueue()

  constructor(most: number, living: () => readonly LiveSession[]) {
    this.#most = most
    this.#living = living
  }

  /** One after the other. What it returns is called when the process is there and counts itself. */
  admit(sessionId: string): Promise<() => void> {
    return this.#admissions.run(async () => {
      const living = this.#living()
      const taken = new Set([...living.map(({ session }) => session.id), ...this.#promised]).size
      if (taken >= this.#most) await this.#letOneGo(living)
      this.#promised.add(sessionId)
      return () => void this.#promised.delete(sessionId)
    })
  }

  /** The process that has been idle longest makes room for a new one; if none is idle, the new one has to wait. */
  async #letOneGo(living: readonly LiveSession[]): Promise<void> {
    const idle = living.filter(({ idleMs }) => idleMs !== undefined)
    for (const session of idle.toSorted((a, b) => (b.idleMs ?? 0) - (a.idleMs ?? 0)))
      if (await session.stopIfIdle(0)) return
    throw new AppError(
      'too_many_sessions',
      `${this.#most} sessions are at work, which is the limit (MAX_SESSIONS); wait for one to end, or stop one.`,
    )
  }
}
