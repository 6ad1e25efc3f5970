import type { Session } from '../sessions/session.ts'

/**
 * The sessions that somebody who calls operations knows to be at work: of each they are to be told the end, once. It lasts
 * as long as their connection does; the engine keeps nothing of it.
 */
export class AtWork {
  /** The ones noted last are at the end. */
  readonly #ids: Set<string>

  constructor(ids: Iterable<string> = []) {
    this.#ids = new Set(ids)
  }

  get ids(): readonly string[] {
    return [...this.#ids]
  }

  note(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#ids.delete(id)
      this.#ids.add(id)
    }
    for (const id of this.ids.slice(0, Math.max(0, this.#ids.size - MOST))) this.#ids.delete(id)
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.delete(id)
  }
}

/** One call by somebody with such a memory. What its result tells counts as told once the result was given. */
export class Telling {
  readonly #atWork: AtWork
  #told: readonly string[] = []

  constructor(atWork: AtWork) {
    this.#atWork = atWork
  }

  get known(): readonly string[] {
    return this.#atWork.ids
  }

  note(ids: Iterable<string>): void {
    this.#atWork.note(ids)
  }

  forget(ids: Iterable<string>): void {
    this.#atWork.forget(ids)
  }

  /** The result of the call shows these. The same call made once more has another result, and this is said again. */
  shows(sessions: readonly Session[]): void {
    this.#atWork.note(sessions.filter(isAtWork).map(({ id }) => id))
    this.#told = sessions.filter((session) => !isAtWork(session)).map(({ id }) => id)
  }

  given(): void {
    this.#atWork.forget(this.#told)
  }
}

/** For callers who have no connection that lasts: one memory each, until many others have called since. */
export class AtWorkByCaller {
  readonly #atFirst: readonly string[]
  readonly #known = new Map<string, AtWork>()

  /** What an earlier hub had at work: nobody has been told of its end. */
  constructor(atFirst: readonly string[] = []) {
    this.#atFirst = atFirst
  }

  of(callerId: string): AtWork {
    const known = this.#known.get(callerId) ?? new AtWork(this.#atFirst)
    this.#known.delete(callerId)
    this.#known.set(callerId, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
    return known
  }
}

function isAtWork({ status }: Session): boolean {
  return status === 'running' || status === 'waiting'
}

const MOST = 500
