import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { Page } from '../sessions/read-events.ts'
import type { Engine, Who } from './engine.ts'
import type { HubAddress } from './hub-address.ts'
import { HubConnection } from './hub-request.ts'
import { endOf, pagesOf, SseFrames } from './sse-frames.ts'
import type { VerbName } from './verbs.ts'

export interface RemoteParts {
  /** Asked before every call, so that a new hub is found where the old one was left. */
  readonly find: () => Promise<HubAddress>
  /** A model drives this: it is no person, and may bypass nothing. */
  readonly model?: boolean | undefined
}

export interface RemoteEngine extends Engine {
  /** Lets go of the connections. */
  close(): void
}

/**
 * The engine of a hub, spoken to over its socket. Who calls is said by the token, not by `who.caller`: the hub goes by
 * nothing that a client says of itself. `who.signal` ends waits, here and in the hub, and nothing else, as it does there.
 */
export function createRemoteEngine({ find, model = false }: RemoteParts): RemoteEngine {
  const hub = new HubConnection(find, model ? { 'x-plexus-model': '1' } : {})
  // The hub's answers are this same program's: they are what the verb returns, and not looked at twice.
  const call = async <T>(name: VerbName, input: unknown, signal?: AbortSignal): Promise<T> =>
    z.custom<T>().parse(await hub.call(name, input, signal))
  const verb =
    <T>(name: VerbName) =>
    (_: Who, input: object): Promise<T> =>
      call(name, input)

  return {
    createSession: verb('createSession'),
    startTurn: verb('startTurn'),
    getSession: verb('getSession'),
    listSessions: verb('listSessions'),
    listConversations: verb('listConversations'),
    listTurns: verb('listTurns'),
    readEvents: verb('readEvents'),
    readTurn: verb('readTurn'),
    followEvents: ({ signal }, { sessionId, after }) =>
      follow(hub, sessionId, after, signal ?? new AbortController().signal),
    waitFor: async ({ signal }, input) => {
      if (signal?.aborted) return []
      try {
        return await call('waitFor', input, signal)
      } catch (error) {
        if (signal?.aborted) return []
        throw error
      }
    },
    pending: verb('pending'),
    answer: verb('answer'),
    escalate: verb('escalate'),
    listGrants: verb('listGrants'),
    revokeGrant: verb('revokeGrant'),
    interrupt: verb('interrupt'),
    setMode: verb('setMode'),
    setModel: verb('setModel'),
    fork: verb('fork'),
    tree: verb('tree'),
    history: verb('history'),
    permitConfig: verb('permitConfig'),
    stopSession: verb('stopSession'),
    close: () => hub.close(),
  }
}

/**
 * Every event once and in order, over as many connections as it takes. A hub that is not there at the beginning is an
 * error; one that goes away has some time to come back, because a new one goes on where it was.
 */
async function* follow(
  hub: HubConnection,
  sessionId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  let last = after
  let failures: number | undefined
  while (!signal.aborted) {
    try {
      const response = await hub.events(sessionId, last, signal)
      failures ??= 0
      const frames = new SseFrames()
      for await (const chunk of response.setEncoding('utf8'))
        for (const page of pagesOf(frames.take(String(chunk)), last)) {
          last = endOf(page, last)
          failures = 0
          yield page
        }
    } catch (error) {
      if (signal.aborted) return
      if (failures === undefined || (error instanceof AppError && error.code !== 'busy')) throw error
      if (++failures > RETRIES) throw error
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

const RETRY_MS = 250
const RETRIES = 120
