import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { SESSIONS_URI, allUrisOf } from '../../api/resources/session-uri.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine } from '../../engine/engine.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import { type Changes, seenNow, sessionChanges } from './session-changes.ts'

export interface NewsParts {
  readonly engine: Engine
  readonly caller: Caller
  /** When there is nobody to tell any more. */
  readonly closed: AbortSignal
}

export interface Watching {
  /** Somebody relies on it: it is begun without a hub too, and hears of the next one. */
  readonly withoutHub?: boolean
}

/** Begins to watch when it is first called, and resolves once nothing that happens from then on is missed. */
export function watcher(
  { engine, caller, closed }: NewsParts,
  tell: (event: ServerEvent) => void,
): (how?: Watching) => Promise<void> {
  const who = { caller, signal: closed }
  /** Whoever looked while there was no hub was told of no session: each is a new one. */
  let knowsNone = false
  const begin = async ({ withoutHub = false }: Watching): Promise<boolean> => {
    const seen = await seenNow(engine, who).catch(unlessNoHub(undefined))
    knowsNone ||= seen === undefined
    if (!seen && !withoutHub) return false
    const follow = async () => {
      const first = knowsNone ? {} : (seen ?? {})
      for await (const changes of sessionChanges(engine, who, first)) eventsOf(changes).forEach(tell)
    }
    void follow().catch(() => {})
    return true
  }
  let begun = Promise.resolve(false)
  return async (how = {}) => {
    begun = begun.catch(() => false).then((has) => has || begin(how))
    await begun
  }
}

function eventsOf({ sessions, came }: Changes): ServerEvent[] {
  return [
    ...(came ? [{ kind: 'resources_list_changed' as const }] : []),
    { kind: 'resource_updated', uri: SESSIONS_URI },
    ...sessions.flatMap(allUrisOf).map((uri) => ({ kind: 'resource_updated' as const, uri })),
  ]
}

/** News for streams that each have a request of their own: each listens for its caller, and hears of nobody else's. */
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

/** Where no hub runs this is how it is; any other failure is one. */
export function unlessNoHub<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof NoHub) return value
    throw error
  }
}
