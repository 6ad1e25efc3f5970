import { z } from 'zod'
import { askHub } from './ask-over-hub.ts'
import type { Asking, Engine, CallContext } from '../engine/engine.ts'
import { followHub } from './follow-events.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import { HubConnection, type HubFinder } from './hub-connection.ts'
import { HubLost } from './hub-responses.ts'
import type { VerbName } from '../engine/verbs.ts'
import { waitAcross } from './wait-over-restarts.ts'

export interface RemoteEngine extends Engine, Asking {
  /** Lets go of the connections. */
  close(): void
}

/**
 * The engine of a hub, spoken to over its socket. Who calls is said by the token; what `who.caller` adds to it is whether a
 * person or a model asks. `who.signal` ends waits, here and in the hub, and nothing else, as it does there.
 */
export function createRemoteEngine(finder: HubFinder): RemoteEngine {
  const hub = new HubConnection(finder)
  // The hub's answers are this same program's: they are what the verb returns, and not looked at twice.
  const call = async <T>(name: VerbName, { caller }: CallContext, input: unknown): Promise<T> =>
    z.custom<T>().parse(await hub.call(name, input, { headers: claimHeaders(caller) }))
  /** Changes something, so it is asked once. */
  const does =
    <T>(name: VerbName) =>
    (who: CallContext, input: object): Promise<T> =>
      call(name, who, input)
  /** Changes nothing, so the next hub may be asked what the last one did not tell. */
  const tells =
    <T>(name: VerbName) =>
    (who: CallContext, input: object): Promise<T> =>
      call<T>(name, who, input).catch((error: unknown) => {
        if (error instanceof HubLost) return call(name, who, input)
        throw error
      })

  return {
    createSession: does('createSession'),
    startTurn: does('startTurn'),
    getSession: tells('getSession'),
    listSessions: tells('listSessions'),
    listConversations: tells('listConversations'),
    listTurns: tells('listTurns'),
    // A named reader moves on by reading.
    readEvents: (who, input) =>
      (input.reader === undefined ? tells : does)<Awaited<ReturnType<Engine['readEvents']>>>('readEvents')(
        who,
        input,
      ),
    readTurn: (who, input) =>
      (input.reader === undefined ? tells : does)<Awaited<ReturnType<Engine['readTurn']>>>('readTurn')(
        who,
        input,
      ),
    followEvents: (who, { sessionId, after }) => followHub(hub, who, sessionId, after),
    waitFor: (who, input) => waitAcross(hub, who, input),
    pending: tells('pending'),
    getApproval: tells('getApproval'),
    decisions: tells('decisions'),
    answer: does('answer'),
    escalate: does('escalate'),
    listGrants: tells('listGrants'),
    revokeGrant: does('revokeGrant'),
    interrupt: does('interrupt'),
    setMode: does('setMode'),
    setModel: does('setModel'),
    fork: does('fork'),
    tree: tells('tree'),
    history: tells('history'),
    permitConfig: does('permitConfig'),
    stopSession: does('stopSession'),
    ask: (who, asked, gone) => askHub(hub, who, asked, gone),
    close: () => hub.close(),
  }
}
