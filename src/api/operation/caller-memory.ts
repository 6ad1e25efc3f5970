import type { CallerKey } from '../../base/ids.ts'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { Session } from '../../sessions/record/session.ts'

/** What a caller knows before a call: the sessions at work, and the questions that were returned to it. All are ids. */
export interface Known {
  readonly sessions: readonly string[]
  readonly questions: readonly string[]
  /** Several clients may share this memory, so a result of one client may be unknown to another. */
  readonly isShared?: boolean | undefined
}

/** What one call changes in the memory. */
export interface MemoryChanges {
  /** Sessions that are at work. */
  readonly working: readonly string[]
  /** Sessions whose end another caller is responsible for. */
  readonly dropped: readonly string[]
  /** Questions that this call answered. */
  readonly answered: readonly string[]
  /** Sessions whose end is in the result of the call. Counts once the caller has the result. */
  readonly ended: readonly string[]
  /** Questions in the result. Counts once the caller has the result. */
  readonly asked: readonly string[]
}

/**
 * What a caller of operations knows: the sessions at work, whose end must be returned to it once each; and the questions that
 * were returned to it, which end no further wait. It lasts as long as the connection; the engine keeps nothing of it.
 */
export class CallerMemory {
  /** In the order of the last note. */
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

  /** Notes the changes that hold whether or not the caller reads the result. */
  note({ working, dropped, answered }: Partial<MemoryChanges>): void {
    addLast(this.#sessions, working ?? [])
    for (const id of dropped ?? []) this.#sessions.delete(id)
    for (const id of answered ?? []) this.#questions.delete(id)
  }

  /** To be called when the caller has the result. */
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

  /** Notes the sessions and questions in the result. If the call is repeated, its new result replaces them. */
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

/** For callers without a lasting connection: a memory for each of the most recent callers. */
export class MemoryByCaller {
  readonly #atFirst: readonly string[]
  readonly #known = new RecentMap<string, CallerMemory>(MAX_KEPT)

  /** `atFirst`: the sessions that an earlier hub had at work; their end was returned to no caller. */
  constructor(atFirst: readonly string[] = []) {
    this.#atFirst = atFirst
  }

  of(callerId: CallerKey): CallerMemory {
    const known = this.#known.get(callerId) ?? new CallerMemory(this.#atFirst, { isShared: true })
    this.#known.set(callerId, known)
    return known
  }
}

/** Keeps the newest `MAX_KEPT` ids. */
function addLast(kept: Set<string>, ids: Iterable<string>): void {
  for (const id of ids) {
    kept.delete(id)
    kept.add(id)
  }
  for (const id of kept) {
    if (kept.size <= MAX_KEPT) return
    kept.delete(id)
  }
}

const MAX_KEPT = 500
