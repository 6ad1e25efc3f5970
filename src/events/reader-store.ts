/** Port: a cursor each, so that many readers can follow one session. */
export interface ReaderStore {
  /** The last seq that this reader has taken; 0 for one that is new. */
  get(sessionId: string, name: string): Promise<number>
  /** Never goes back. */
  advance(sessionId: string, name: string, seq: number): Promise<void>
  /** Only if it still is at `from`; tells whether it was. So of two who read under one name at once, one has read. */
  move(sessionId: string, name: string, cursor: { from: number; to: number }): Promise<boolean>
  list(sessionId: string): Promise<{ name: string; seq: number }[]>
}
