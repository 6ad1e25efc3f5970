import type { Session } from '../../sessions/record/session.ts'

interface Sharing {
  /** Several clients may stand behind it, so that what one was given another may never have seen. */
  readonly isShared?: boolean
}

/**
 * What somebody who calls operations knows: the sessions at work, of each of which they are to be told the end, once; and
 * the questions that they were given, which end no further wait. It lasts as long as their connection does; the engine
 * keeps nothing of it.
 */
export class AtWork {
  /** The ones noted last are at the end. */
  readonly #ids: Set<string>
  readonly #questions = new Set<string>()
  readonly isShared: boolean

  constructor(ids: Iterable<string> = [], { isShared = false }: Sharing = {}) {
    this.#ids = new Set(ids)
    this.isShared = isShared
  }

  /** The questions that were given to the one client that there is. */
  get questions(): readonly string[] {
    return [...this.#questions]
  }

  noteQuestions(ids: Iterable<string>): void {
    if (this.isShared) return
    noteLast(this.#questions, ids)
  }

  get ids(): readonly string[] {
    return [...this.#ids]
  }

  note(ids: Iterable<string>): void {
    noteLast(this.#ids, ids)
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.delete(id)
  }
}

/** One call by somebody with such a memory. What its result tells counts as told once the result was given. */
export class Telling {
  readonly #atWork: AtWork
  #told: readonly string[] = []
  #asked: readonly string[] = []

  constructor(atWork: AtWork) {
    this.#atWork = atWork
  }

  get known(): readonly string[] {
    return this.#atWork.ids
  }

  get knownQuestions(): readonly string[] {
    return this.#atWork.questions
  }

  get isShared(): boolean {
    return this.#atWork.isShared
  }

  note(ids: Iterable<string>): void {
    this.#atWork.note(ids)
  }

  forget(ids: Iterable<string>): void {
    this.#atWork.forget(ids)
  }

  /** The result of the call shows these. The same call made once more has another result, and this is said again. */
  shows(sessions: readonly Session[], questions: readonly { readonly id: string }[] = []): void {
    this.#atWork.note(sessions.filter(isAtWork).map(({ id }) => id))
    this.#told = sessions.filter((session) => !isAtWork(session)).map(({ id }) => id)
    this.#asked = questions.map(({ id }) => id)
  }

  given(): void {
    this.#atWork.forget(this.#told)
    this.#atWork.noteQuestions(this.#asked)
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
    const known = this.#known.get(callerId) ?? new AtWork(this.#atFirst, { isShared: true })
    this.#known.delete(callerId)
    this.#known.set(callerId, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
    return known
  }
}

/** At most so many, and those that were noted first are forgotten first. */
function noteLast(noted: Set<string>, ids: Iterable<string>): void {
  for (const id of ids) {
    noted.delete(id)
    noted.add(id)
  }
  for (const id of [...noted].slice(0, Math.max(0, noted.size - MOST))) noted.delete(id)
}

function isAtWork({ status }: Session): boolean {
  return status === 'running' || status === 'waiting'
}

const MOST = 500
