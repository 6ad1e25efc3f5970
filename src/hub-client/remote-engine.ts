import { z } from 'zod'
import { askHub } from './ask-over-hub.ts'
import type { Asking, Engine, CallContext } from '../engine/engine.ts'
import { followHub } from './follow-events.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import { HubConnection, type HubFinder } from './hub-connection.ts'
import { HubLost } from './hub-responses.ts'
import type { VerbName } from '../engine/verbs.ts'
import { waitOverRestarts } from './wait-over-restarts.ts'

export interface RemoteEngine extends Engine, Asking {
  /** Closes the connections. */
  close(): void
}

/**
 * The engine of a hub, called over its socket. The token identifies the caller; `who.caller` adds whether a person or a model
 * asks. `who.signal` ends waits, here and in the hub, and nothing else.
 */
export function createRemoteEngine(finder: HubFinder): RemoteEngine {
  const hub = new HubConnection(finder)
  // The hub's answers are this same program's: they have the type that the verb returns, and are not checked twice.
  const call = async <T>(name: VerbName, { caller }: CallContext, input: unknown): Promise<T> =>
    z.custom<T>().parse(await hub.call(name, input, { headers: claimHeaders(caller) }))
  /** Changes something, so it is called once. */
  const callOnce =
    <T>(name: VerbName) =>
    (who: CallContext, input: object): Promise<T> =>
      call(name, who, input)
  /** Changes nothing, so it is retried with the next hub. */
  const callWithRetry =
    <T>(name: VerbName) =>
    (who: CallContext, input: object): Promise<T> =>
      call<T>(name, who, input).catch((error: unknown) => {
        if (error instanceof HubLost) return call(name, who, input)
        throw error
      })

  return {
    createSession: callOnce('createSession'),
    startTurn: callOnce('startTurn'),
    getSession: callWithRetry('getSession'),
    listSessions: callWithRetry('listSessions'),
    listConversations: callWithRetry('listConversations'),
    listTurns: callWithRetry('listTurns'),
    // Reading moves a named reader.
    readEvents: (who, input) =>
      (input.reader === undefined ? callWithRetry : callOnce)<Awaited<ReturnType<Engine['readEvents']>>>(
        'readEvents',
      )(who, input),
    readTurn: (who, input) =>
      (input.reader === undefined ? callWithRetry : callOnce)<Awaited<ReturnType<Engine['readTurn']>>>(
        'readTurn',
      )(who, input),
    followEvents: (who, { sessionId, after }) => followHub(hub, who, sessionId, after),
    waitFor: (who, input) => waitOverRestarts(hub, who, input),
    pending: callWithRetry('pending'),
    getApproval: callWithRetry('getApproval'),
    decisions: callWithRetry('decisions'),
    answer: callOnce('answer'),
    escalate: callOnce('escalate'),
    listGrants: callWithRetry('listGrants'),
    revokeGrant: callOnce('revokeGrant'),
    renameSession: callOnce('renameSession'),
    deleteSession: callOnce('deleteSession'),
    extend: callOnce('extend'),
    interrupt: callOnce('interrupt'),
    setMode: callOnce('setMode'),
    setModel: callOnce('setModel'),
    fork: callOnce('fork'),
    tree: callWithRetry('tree'),
    history: callWithRetry('history'),
    permitConfig: callOnce('permitConfig'),
    stopSession: callOnce('stopSession'),
    ask: (who, asked, gone) => askHub(hub, who, asked, gone),
    close: () => hub.close(),
  }
}
