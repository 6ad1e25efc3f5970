import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { SESSIONS_URI, allUrisOf } from '../../api/resources/session-uri.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine } from '../../engine/engine.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import { type SessionChanges, currentSeqs, sessionChanges } from './session-changes.ts'

export interface WatchParts {
  readonly engine: Engine
  readonly caller: Caller
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal
}

export interface WatchOptions {
  /** The client relies on updates: the watch starts without a hub too, and follows the next hub. */
  readonly withoutHub?: boolean
}

/** The returned function starts the watch when it is first called, and resolves once no later change can be missed. */
export function watcher(
  { engine, caller, closed }: WatchParts,
  send: (event: ServerEvent) => void,
): (options?: WatchOptions) => Promise<void> {
  const call = { caller, signal: closed }
  /** The client got an empty list because no hub ran, so every session is new to it. */
  let sawEmptyList = false
  const start = async ({ withoutHub = false }: WatchOptions): Promise<boolean> => {
    const seen = await currentSeqs(engine, call).catch(unlessNoHub(undefined))
    sawEmptyList ||= seen === undefined
    if (!seen && !withoutHub) return false
    const follow = async () => {
      const first = sawEmptyList ? {} : (seen ?? {})
      for await (const changes of sessionChanges(engine, call, first)) eventsOf(changes).forEach(send)
    }
    void follow().catch(() => {})
    return true
  }
  let started = Promise.resolve(false)
  return async (options = {}) => {
    started = started.catch(() => false).then((has) => has || start(options))
    await started
  }
}

function eventsOf({ sessions, isListChanged }: SessionChanges): ServerEvent[] {
  return [
    ...(isListChanged ? [{ kind: 'resources_list_changed' as const }] : []),
    { kind: 'resource_updated', uri: SESSIONS_URI },
    ...sessions.flatMap(allUrisOf).map((uri) => ({ kind: 'resource_updated' as const, uri })),
  ]
}

/** Updates for streams that each belong to one request. Each stream gets only updates of its own caller's sessions. */
export function sessionBus(engine: Engine, caller: Caller): ServerEventBus {
  return {
    publish: () => {},
    subscribe: (listener) => {
      const stop = new AbortController()
      void watcher({ engine, caller, closed: stop.signal }, listener)().catch(() => {})
      return () => stop.abort()
    },
  }
}

/** Replaces the error "no hub runs" by a value; other errors are thrown. */
export function unlessNoHub<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof NoHub) return value
    throw error
  }
}
