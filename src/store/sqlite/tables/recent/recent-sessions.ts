/** A session as it is stored. */
export interface SessionRow {
  readonly name: string | null
  readonly last_seq: number
  readonly updated_at: number
  readonly body: string
}

/**
 * A cache of the rows of sessions that were written lately: each question has its session's row read several times. It contains
 * exactly what was committed; the database has all of them and more. Rows that this process has never written are not kept,
 * because another process may write them.
 */
export class RecentSessions {
  /** Undefined until the row is read after a write. */
  readonly #rows = new Map<string, SessionRow | undefined>()

  get(id: string): SessionRow | undefined {
    return this.#rows.get(id)
  }

  /** A row that was read. */
  add(id: string, row: SessionRow): void {
    if (this.#rows.has(id)) this.#rows.set(id, row)
  }

  /** Follows a write that was committed. */
  change(id: string, changes: Partial<SessionRow>): void {
    const row = this.#rows.get(id)
    this.#rows.set(id, row && { ...row, ...changes })
    if (this.#rows.size <= KEPT) return
    const [oldest = ''] = this.#rows.keys()
    this.#rows.delete(oldest)
  }

  forget(id: string): void {
    this.#rows.delete(id)
  }
}

const KEPT = 500
