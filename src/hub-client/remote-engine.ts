import type { Asking, Engine, CallContext } from '../engine/engine.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import { HubConnection, type HubFinder } from './hub-connection.ts'
import { HubLost } from './hub-responses.ts'
import type { VerbName } from '../engine/verbs.ts'

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
    // What waits is loaded when it is needed: most commands only call.
    followEvents: async function* (call, { sessionId, after }) {
      const { followHub } = await import('./follow-events.ts')
      yield* followHub(hub, call, sessionId, after)
    },
    followAll: async function* (call, input) {
      const { followFeed } = await import('./follow-events.ts')
      yield* followFeed(hub, call, input)
    },
    waitFor: async (call, input) => {
      const { waitOverRestarts } = await import('./wait-over-restarts.ts')
      return waitOverRestarts(hub, call, input)
    },
    pending: callWithRetry('pending'),
    getApproval: callWithRetry('getApproval'),
    previewChange: callWithRetry('previewChange'),
    decisions: callWithRetry('decisions'),
    costs: callWithRetry('costs'),
    listBudgets: callWithRetry('listBudgets'),
    answer: callOnce('answer'),
    answerAll: callOnce('answerAll'),
    escalate: callOnce('escalate'),
    offerRules: callWithRetry('offerRules'),
    suggestRules: callWithRetry('suggestRules'),
    replayRules: callWithRetry('replayRules'),
    // It may save.
    importRules: callOnce('importRules'),
    exportRules: callWithRetry('exportRules'),
    testCall: callWithRetry('testCall'),
    explainQuestion: callWithRetry('explainQuestion'),
    listGrants: callWithRetry('listGrants'),
    revokeGrant: callOnce('revokeGrant'),
    renameSession: callOnce('renameSession'),
    deleteSession: callOnce('deleteSession'),
    extend: callOnce('extend'),
    interrupt: callOnce('interrupt'),
    setMode: callOnce('setMode'),
    setBudget: callOnce('setBudget'),
    setModel: callOnce('setModel'),
    fork: callOnce('fork'),
    tree: callWithRetry('tree'),
    history: callWithRetry('history'),
    permitConfig: callOnce('permitConfig'),
    commandConfig: callOnce('commandConfig'),
    judgeCall: callOnce('judgeCall'),
    handOver: callOnce('handOver'),
    returnSession: callOnce('returnSession'),
    stopSession: callOnce('stopSession'),
    listFolders: callWithRetry('listFolders'),
    inviteDevice: callOnce('inviteDevice'),
    awaitDevice: callWithRetry('awaitDevice'),
    confirmDevice: callOnce('confirmDevice'),
    listDevices: callWithRetry('listDevices'),
    removeDevice: callOnce('removeDevice'),
    // Reading the record is recorded.
    listRecord: callOnce('listRecord'),
    getRecordRow: callOnce('getRecordRow'),
    exportRecord: callOnce('exportRecord'),
    verifyRecord: callOnce('verifyRecord'),
    readNotices: callWithRetry('readNotices'),
    setNotices: callOnce('setNotices'),
    ask: async (call, asked, gone) => {
      const { askHub } = await import('./ask-over-hub.ts')
      return askHub(hub, call, asked, gone)
    },
    close: () => hub.close(),
  }
}
