/** Who calls. What each may do is one table elsewhere; this is who they are. */
export interface Caller {
  readonly id: string
  readonly kind: 'operator' | 'client' | 'session'
  /** A client's name, or the id of the session. */
  readonly name: string
  /** SHA-256 of the token; the token itself is never stored. */
  readonly tokenHash: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number | undefined
}

/** Port. */
export interface CallerStore {
  /** Adds, or puts in the place of the one with the same id. A token that another has is `in_use`. */
  put(caller: Caller): Promise<void>
  byTokenHash(hash: string): Promise<Caller | undefined>
  /** The one added last, if there are several. */
  byName(kind: Caller['kind'], name: string): Promise<Caller | undefined>
  list(): Promise<Caller[]>
}
