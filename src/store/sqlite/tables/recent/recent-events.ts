import type { SessionKey } from '../../../../base/ids.ts'

/** An event as it is stored. */
export interface EventRow {
  readonly seq: number
  readonly turn: number
  readonly at: number
  readonly payload: string
}

/**
 * A cache of the newest rows of sessions with a process, so that readers that follow a session do not query the database for
 * every event. It contains exactly the rows that were committed; the database has all of them and more.
 */
export class RecentEvents {
  readonly #max: number
  readonly #bySession = new Map<string, { rows: EventRow[]; size: number }>()

  constructor(max: number) {
    this.#max = max
  }

  /** Undefined if the events must be read from the database. */
  read(sessionId: SessionKey, after: number, limit: number): readonly EventRow[] | undefined {
    const rows = this.#bySession.get(sessionId)?.rows
    const from = after + 1 - (rows?.[0]?.seq ?? Infinity)
    return from >= 0 ? rows?.slice(from, from + limit) : undefined
  }

  /** Starts to cache the events of a session. */
  begin(sessionId: SessionKey): void {
    if (!this.#bySession.has(sessionId)) this.#bySession.set(sessionId, { rows: [], size: 0 })
  }

  /** Adds rows that were committed, right after the rows before. */
  add(sessionId: SessionKey, added: readonly EventRow[]): void {
    const kept = this.#bySession.get(sessionId)
    if (!kept) return
    for (const row of added) {
      kept.rows.push(row)
      kept.size += row.payload.length
    }
    let old = 0
    for (; kept.rows.length - old > this.#max || kept.size > MAX_SIZE; old++)
      kept.size -= kept.rows[old]?.payload.length ?? 0
    kept.rows.splice(0, old)
  }

  forget(sessionId: SessionKey): void {
    this.#bySession.delete(sessionId)
  }
}

/** In characters, per session: a single event can be as large as all others together. */
const MAX_SIZE = 1 << 20
