import { askHub } from './ask-over-hub.ts'
import type { Asking, Engine, CallContext } from '../engine/engine.ts'
import { followFeed, followHub } from './follow-events.ts'
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
 * The engine of a hub, called over its socket. The token identifies the caller; `call.caller` adds whether a person or a model
 * asks. `call.signal` ends waits, here and in the hub, and nothing else.
 */
export function createRemoteEngine(finder: HubFinder): RemoteEngine {
  const hub = new HubConnection(finder)
  const callVerb = async <T>(name: VerbName, { caller }: CallContext, input: unknown): Promise<T> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub is this same program: it answers with what the verb returns
    (await hub.call(name, input, { headers: claimHeaders(caller) })) as T
  /** Changes something, so it is called once. */
  const callOnce =
    <T>(name: VerbName) =>
    (call: CallContext, input: object): Promise<T> =>
      callVerb(name, call, input)
  /** Changes nothing, so it is retried with the next hub. */
  const callWithRetry =
    <T>(name: VerbName) =>
    (call: CallContext, input: object): Promise<T> =>
      callVerb<T>(name, call, input).catch((error: unknown) => {
        if (error instanceof HubLost) return callVerb(name, call, input)
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
    readEvents: (call, input) =>
      (input.reader === undefined ? callWithRetry : callOnce)<Awaited<ReturnType<Engine['readEvents']>>>(
        'readEvents',
      )(call, input),
    readTurn: (call, input) =>
      (input.reader === undefined ? callWithRetry : callOnce)<Awaited<ReturnType<Engine['readTurn']>>>(
        'readTurn',
      )(call, input),
    followEvents: (call, { sessionId, after }) => followHub(hub, call, sessionId, after),
    followAll: (call, { after }) => followFeed(hub, call, after),
    waitFor: (call, input) => waitOverRestarts(hub, call, input),
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
    inviteDevice: callOnce('inviteDevice'),
    awaitDevice: callWithRetry('awaitDevice'),
    confirmDevice: callOnce('confirmDevice'),
    listDevices: callWithRetry('listDevices'),
    removeDevice: callOnce('removeDevice'),
    ask: (call, asked, gone) => askHub(hub, call, asked, gone),
    close: () => hub.close(),
  }
}
