import { isAtWork } from '../../sessions/record/at-work.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { Session } from '../../sessions/record/session.ts'

/** What a caller knows before a call: the sessions at work, and the questions that they were given. Each by its id. */
export interface Known {
  readonly sessions: readonly string[]
  readonly questions: readonly string[]
  /** Several clients may share this memory, so that what one was given another may never have seen. */
  readonly isShared?: boolean | undefined
}

/** What one call changes of it. */
export interface MemoryChanges {
  /** Sessions that are at work. */
  readonly working: readonly string[]
  /** Sessions whose end is the concern of somebody else. */
  readonly dropped: readonly string[]
  /** Questions that were answered by this call. */
  readonly answered: readonly string[]
  /** Sessions whose end the result of the call shows. It counts once the caller has the result. */
  readonly ended: readonly string[]
  /** Questions that the result shows, likewise. */
  readonly asked: readonly string[]
}

/**
 * What somebody who calls operations knows: the sessions at work, of each of which they are to read the end, once; and the
 * questions that they were given, which end no further wait. It lasts as long as their connection does; the engine keeps
 * nothing of it.
 */
export class CallerMemory {
  /** The last ones noted are at the end. */
  readonly #sessions: Set<string>
  readonly #questions = new Set<string>()
  readonly isShared: boolean

  constructor(sessions: Iterable<string> = [], { isShared = false }: Pick<Known, 'isShared'> = {}) {
    this.#sessions = new Set(sessions)
    this.isShared = isShared
  }

  get known(): Known {
    return { sessions: [...this.#sessions], questions: [...this.#questions], isShared: this.isShared }
  }

  /** What is true whether or not the caller reads the result. */
  note({ working, dropped, answered }: Partial<MemoryChanges>): void {
    addLast(this.#sessions, working ?? [])
    for (const id of dropped ?? []) this.#sessions.delete(id)
    for (const id of answered ?? []) this.#questions.delete(id)
  }

  /** The caller has the result. */
  noteResult({ ended, asked }: Pick<MemoryChanges, 'ended' | 'asked'>): void {
    for (const id of ended) this.#sessions.delete(id)
    if (!this.isShared) addLast(this.#questions, asked)
  }
}

/** The memory of one call: what was known before it, and what it changes. */
export class CallMemory {
  readonly #sessions: Set<string>
  readonly questions: readonly string[]
  readonly isShared: boolean
  readonly #working = new Set<string>()
  readonly #dropped = new Set<string>()
  readonly #answered: string[] = []
  #ended: readonly string[] = []
  #asked: readonly string[] = []

  constructor({ sessions, questions, isShared = false }: Known) {
    this.#sessions = new Set(sessions)
    this.questions = questions
    this.isShared = isShared
  }

  get sessions(): readonly string[] {
    return [...this.#sessions]
  }

  /** These are at work. */
  noteWorking(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#sessions.add(id)
      this.#working.add(id)
      this.#dropped.delete(id)
    }
  }

  drop(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#sessions.delete(id)
      this.#working.delete(id)
      this.#dropped.add(id)
    }
  }

  noteAnswered(id: string): void {
    this.#answered.push(id)
  }

  /** The result of the call shows these. The same call made once more has another result, and this is said again. */
  noteShown(sessions: readonly Session[], questions: readonly { readonly id: string }[] = []): void {
    this.noteWorking(sessions.filter(isAtWork).map(({ id }) => id))
    this.#ended = sessions.filter((session) => !isAtWork(session)).map(({ id }) => id)
    this.#asked = questions.map(({ id }) => id)
  }

  get changes(): MemoryChanges {
    return {
      working: [...this.#working],
      dropped: [...this.#dropped],
      answered: this.#answered,
      ended: this.#ended,
      asked: this.#asked,
    }
  }
}

/** For callers who have no connection that lasts: one memory each, until many others have called since. */
export class MemoryByCaller {
  readonly #atFirst: readonly string[]
  readonly #known = new RecentMap<string, CallerMemory>(MOST)

  /** What an earlier hub had at work: nobody has read its end. */
  constructor(atFirst: readonly string[] = []) {
    this.#atFirst = atFirst
  }

  of(callerId: string): CallerMemory {
    const known = this.#known.get(callerId) ?? new CallerMemory(this.#atFirst, { isShared: true })
    this.#known.set(callerId, known)
    return known
  }
}

/** At most so many, and those that were added first are forgotten first. */
function addLast(kept: Set<string>, ids: Iterable<string>): void {
  for (const id of ids) {
    kept.delete(id)
    kept.add(id)
  }
  for (const id of kept) {
    if (kept.size <= MOST) return
    kept.delete(id)
  }
}

const MOST = 500
