import type { SessionKey } from '../base/ids.ts'

/** Port for the cursors of named readers, so that many readers can follow one session. */
export interface ReaderStore {
  /** The last seq that this reader has read; 0 for a new reader. */
  get(sessionId: SessionKey, name: string): Promise<number>
  /** Never moves the cursor back. */
  advance(sessionId: SessionKey, name: string, seq: number): Promise<void>
  /** Moves the cursor if it is still at `from`; returns whether it was. Of two concurrent reads under one name, one succeeds. */
  move(sessionId: SessionKey, name: string, cursor: { from: number; to: number }): Promise<boolean>
}
