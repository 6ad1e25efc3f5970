import type { RecordEntry, RecordHead, RecordRow } from './record-row.ts'

/** A signed checkpoint as it is stored: the note says that the record had so many rows, and which hash the last of them has. */
export interface StoredCheckpoint {
  readonly size: number
  readonly at: number
  readonly note: string
}

export interface RecordFilter {
  /** Only rows of this session, of this question, or of this kind. */
  readonly session?: string | undefined
  readonly approval?: string | undefined
  readonly kind?: string | undefined
  /** Only rows with a number above or below this one. */
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/**
 * Port: the record of a home folder, one chain of rows that are only ever added. Most rows come with the step that they are
 * about (`Journal.append`), in the same transaction.
 */
export interface RecordStore {
  append(entries: readonly RecordEntry[]): Promise<void>
  /** The last row; `NO_ROWS` if there is none. */
  head(): Promise<RecordHead>
  get(number: number): Promise<RecordRow | undefined>
  /** Oldest first. */
  read(filter: RecordFilter): Promise<RecordRow[]>
  /** Newest first. */
  latest(filter: RecordFilter): Promise<RecordRow[]>
  /** With a size above `after` and up to `until`; smallest first. */
  checkpoints(range: { after: number; until: number; limit: number }): Promise<StoredCheckpoint[]>
  lastCheckpoint(): Promise<StoredCheckpoint | undefined>
  /** The checkpoint, and every row that was added before, survives a loss of power once this resolves. */
  addCheckpoint(checkpoint: StoredCheckpoint): Promise<void>
  /** Deletes the rows up to this number and the checkpoints below it, a little at a time, oldest first. */
  cut(to: number): Promise<void>
  /** Calls the listener after each commit with new rows; must not throw. Returns a function that ends it. */
  onAppended(listener: () => void): () => void
}
