import type { SessionKey } from '../base/ids.ts'

/** A call whose stream may be cut. With its event ids the client can ask the next hub for the response. */
export interface LastingCall {
  /** Its stream was cut before: the call is resumed, and not made again. */
  readonly isResumed: boolean
  /** The session that the call has started, if known. */
  readonly sessionId: SessionKey | undefined
  readonly begun: (sessionId: SessionKey) => void
}

/** What the next hub must know of a connection besides its id, because the client says it only once. */
export interface StoredConnection {
  /** The resources that it has subscribed to. */
  readonly uris: readonly string[]
  /** The sessions whose questions are put to the person at this client. */
  readonly sessions: readonly string[]
  /** The client has ended the connection. */
  readonly ended: boolean
}

export interface ConnectionStore {
  readonly get: (key: string) => StoredConnection | undefined
  /** Resolves when the change would survive a crash. */
  readonly put: (key: string, kept: StoredConnection) => Promise<void>
}

/** A connection over HTTP that outlasts one message, as its server sees it. */
export interface LastingConnection {
  /** It was opened at an earlier hub, or at this hub before it was dropped as idle. */
  readonly isRestored: boolean
  /** Aborts when the client closes the stream for messages that belong to no call; undefined while there is none. */
  readonly stream: () => AbortSignal | undefined
  /** Called each time that the client opens that stream: messages sent before may be lost. */
  readonly onStream: (listener: () => void) => void
  readonly kept: () => StoredConnection
  readonly keep: (change: Partial<StoredConnection>) => Promise<void>
  /** The call with this JSON-RPC id, if its response can be requested again. */
  readonly call: (id: string | number) => LastingCall | undefined
}

/** A store that lasts as long as the process. */
export function memoryConnectionStore(): ConnectionStore {
  const kept = new Map<string, StoredConnection>()
  return { get: (key) => kept.get(key), put: async (key, value) => void kept.set(key, value) }
}

export const EMPTY_CONNECTION: StoredConnection = { uris: [], sessions: [], ended: false }
