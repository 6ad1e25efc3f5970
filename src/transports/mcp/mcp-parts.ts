import type { CallerMemory } from '../../api/operation/caller-memory.ts'
import type { OperationCall } from '../../api/operation/operation-call.ts'
import type { Context, Operation } from '../../api/operation/operation.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Signer } from '../../text/signed-text.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import type { OperationCaller, RunAnswer } from '../operation/run-operation.ts'
import type { Seat } from '../person/known-person.ts'
import type { RefusedCall } from '../refused-call.ts'
import type { ClientCalls } from './open-calls.ts'

/** Calls an operation; an error is a result, too. */
export type CallOperation = (
  operation: Operation,
  call: OperationCall,
  caller: OperationCaller,
) => Promise<Pick<RunAnswer, 'result' | 'memory' | 'looked' | 'error'>>

export interface McpParts {
  readonly engine: Context['engine']
  /** If `engine` may start a hub: an engine that does not, for what clients do without being asked. */
  readonly onlooker?: Context['engine'] | undefined
  readonly caller: Caller
  readonly operations: readonly Operation[]
  /** The person at the client, as far as that is known; by default there is none. */
  readonly seat?: Seat | undefined
  /** Signs the rounds of a call that another server may continue. */
  readonly signer?: Signer | undefined
  /** Milliseconds since 1970; measures how long a form took. */
  readonly now?: (() => number) | undefined
  readonly workingDirectory?: string | undefined
  /** Makes calls in another process; by default they are made here, with the engine. */
  readonly call?: CallOperation | undefined
  /** Adds a listener that is called after each such call: then there is a hub to watch. */
  readonly onCalled?: ((listener: () => void) => void) | undefined
  /** What the caller knows from earlier calls, if that outlives this server. */
  readonly memory?: CallerMemory | undefined
  /** If each message has a server of its own: finds the call that a cancellation is for. */
  readonly calls?: ClientCalls | undefined
  /** For a server over HTTP that lasts longer than one message: messages that belong to no call need a stream there. */
  readonly lasting?: LastingConnection | undefined
  /** Aborts when the client subscribes to changes in a way that the server does not see. */
  readonly listened?: AbortSignal | undefined
  /** Clients give up on a call that is silent for too long: the CLI after five minutes, others after one minute. */
  readonly progressMs: number
  /** Aborts when the server is about to end: waits return the current state; a child gets no answer, so that it asks the next server. */
  readonly closing?: AbortSignal | undefined
  readonly onError: (error: unknown) => void
  /** Called when a caller asked for something that it may not have. */
  readonly onRefused: (refused: RefusedCall) => void
}
