import type { CallerId } from '../base/ids.ts'

/** A stored caller and the hash of its token. What a caller may do is decided in `access-rules.ts`. */
export interface CallerRecord {
  readonly id: CallerId
  readonly kind: 'operator' | 'client' | 'device' | 'session'
  /** The name of a client or a device, or the id of the session. */
  readonly name: string
  /** SHA-256 of the token; the token itself is never stored. */
  readonly tokenHash: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly revokedAt?: number | undefined
  /** When a device was last used, to ten minutes. */
  readonly lastSeenAt?: number | undefined
}

/** Port. */
export interface CallerStore {
  /** Adds the caller, or replaces the caller with the same id. A token that another caller has is `in_use`. */
  put(caller: CallerRecord): Promise<void>
  byTokenHash(hash: string): Promise<CallerRecord | undefined>
  /** Oldest first. */
  list(kind: CallerRecord['kind']): Promise<CallerRecord[]>
  /** The caller that was added last, if several have the name. */
  byName(kind: CallerRecord['kind'], name: string): Promise<CallerRecord | undefined>
}

/** An operator has one id whatever its name. Ids are stored, as owners of sessions, so they stay as they are. */
export function callerIdOf(kind: CallerRecord['kind'], name: string): CallerId {
  const id = kind === 'operator' ? kind : `${kind} ${name}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where ids of callers are made
  return id as CallerId
}
