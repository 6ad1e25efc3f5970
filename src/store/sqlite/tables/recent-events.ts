/** An event as it is kept. */
export interface EventRow {
  readonly seq: number
  readonly turn: number
  readonly at: number
  readonly payload: string
}

/**
 * The newest rows of sessions with a process, so that those who follow one do not ask the database for every event. They
 * are the very rows that were committed; the database has all of them and more.
 */
export class RecentEvents {
  readonly #most: number
  readonly #bySession = new Map<string, { rows: EventRow[]; size: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined: the database knows. */
  read(sessionId: string, after: number, limit: number): readonly EventRow[] | undefined {
    const rows = this.#bySession.get(sessionId)?.rows
    const from = after + 1 - (rows?.[0]?.seq ?? Infinity)
    return from >= 0 ? rows?.slice(from, from + limit) : undefined
  }

  /** From now on its events are kept. */
  begin(sessionId: string): void {
    if (!this.#bySession.has(sessionId)) this.#bySession.set(sessionId, { rows: [], size: 0 })
  }

  /** Rows that were committed, right behind those before. */
  add(sessionId: string, added: readonly EventRow[]): void {
    const kept = this.#bySession.get(sessionId)
    if (!kept) return
    for (const row of added) {
      kept.rows.push(row)
      kept.size += row.payload.length
    }
    let old = 0
    for (; kept.rows.length - old > this.#most || kept.size > MAX_SIZE; old++)
      kept.size -= kept.rows[old]?.payload.length ?? 0
    kept.rows.splice(0, old)
  }

  forget(sessionId: string): void {
    this.#bySession.delete(sessionId)
  }
}

/** In characters, of one session: a single event can be as large as all others together. */
const MAX_SIZE = 1 << 20
