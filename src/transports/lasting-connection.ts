/** A call whose stream may be cut: by its event ids the client asks the next hub for the answer. */
export interface LastingCall {
  /** Its stream was cut before: what it began is gone on with, and not begun again. */
  readonly goesOn: boolean
  /** The session that it has begun, as far as is known. */
  readonly sessionId: string | undefined
  readonly begun: (sessionId: string) => void
}

/** What the next hub has to know of a connection besides its id: the client says it once. */
export interface KeptConnection {
  /** What it wants to hear of. */
  readonly uris: readonly string[]
  /** The sessions whose questions are put to its person. */
  readonly sessions: readonly string[]
  /** Its client has ended it. */
  readonly ended: boolean
}

export interface KeptConnections {
  readonly get: (key: string) => KeptConnection | undefined
  /** Resolves when it would outlive a crash. */
  readonly put: (key: string, kept: KeptConnection) => Promise<void>
}

/** A connection over HTTP that lasts from one message to the next, as its server sees it. */
export interface LastingConnection {
  /** Another hub began it, or this one some time ago. */
  readonly again: boolean
  /** Where messages that belong to no call go, while the client holds it open. */
  readonly stream: () => AbortSignal | undefined
  /** The listener is called each time that the client opens one: what was sent before may be lost. */
  readonly onStream: (listener: () => void) => void
  readonly kept: () => KeptConnection
  readonly keep: (change: Partial<KeptConnection>) => Promise<void>
  /** The call with this id of JSON-RPC, where its answer can be asked for again. */
  readonly call: (id: string | number) => LastingCall | undefined
}

/** For as long as the process lasts. */
export function keptInMemory(): KeptConnections {
  const kept = new Map<string, KeptConnection>()
  return { get: (key) => kept.get(key), put: async (key, value) => void kept.set(key, value) }
}

export const NOTHING_KEPT: KeptConnection = { uris: [], sessions: [], ended: false }
