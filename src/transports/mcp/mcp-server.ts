import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import { CallerMemory, type MemoryChanges } from '../../api/operation/caller-memory.ts'
import type { CallEvent, OperationCall, ToolResult } from '../../api/operation/operation-call.ts'
import { type Context, type Operation, toolNameOf } from '../../api/operation/operation.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { type Signer, createSigner } from '../../text/signed-text.ts'
import { VERSION } from '../../base/version.ts'
import { callInRounds } from '../person/call-in-rounds.ts'
import { callWithForms, type Elicited, type MakeCall } from '../person/call-with-forms.ts'
import { formsOf } from '../person/client-forms.ts'
import { OpenForms } from '../person/open-forms.ts'
import { isInternal } from '../error-response.ts'
import { FormPlace } from '../person/form-place.ts'
import { FormSwitch, type Seat } from '../person/known-person.ts'
import {
  type OperationCaller,
  cutOff,
  failedResult,
  HUB_STOPS,
  type RunAnswer,
  runOperation,
  type RunParts,
} from '../operation/run-operation.ts'
import type { RefusedCall } from '../refused-call.ts'
import { mayReadResources, offerResources } from '../resources/mcp-resources.ts'
import { instructionsFor, toolOf } from './mcp-tool.ts'
import type { ClientCalls } from './open-calls.ts'
import { keepAlive, progressOf, type Say } from './progress.ts'
import { followAgain, noteFollowed } from '../person/follow-after-restart.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import { QuestionFollower } from '../person/question-follower.ts'
import { withNotes } from '../operation/tool-result.ts'

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

/** An MCP server for one caller: operations are its tools. When it is closed, it ends what it has begun. */
export function mcpServerFor(parts: McpParts): Server {
  const {
    engine,
    onlooker = engine,
    operations,
    calls,
    listened,
    lasting,
    memory = new CallerMemory(),
  } = parts
  const { seat = { isTerminal: false, forms: new FormSwitch() }, signer = createSigner(randomUUID()) } = parts
  const caller: Caller = { ...parts.caller, via: 'tool' }
  const server = new Server(
    { name: 'plexus', title: 'Plexus', version: VERSION },
    {
      capabilities: {
        tools: {},
        ...(mayReadResources(caller) ? { resources: newsFor(caller) } : {}),
      },
      instructions: instructionsFor(operations),
    },
  )
  const forms = new OpenForms(engine, onlooker)
  const closed = new AbortController()
  const follower = new QuestionFollower({
    engine: onlooker,
    caller,
    forms,
    stream: lasting?.stream ?? (() => closed.signal),
    put: (params, signal) =>
      server.request(
        { method: 'elicitation/create', params: { ...params } },
        { signal, timeout: MAX_TIMER_MS },
      ),
  })
  const onclose = () => {
    closed.abort()
    follower.close()
  }
  // Most clients treat the id 0 as no id, and a request without an id cannot be cancelled.
  Object.assign(server, { onclose, _requestMessageId: 1 })
  const lasts = calls === undefined
  const resources = mayReadResources(caller)
    ? offerResources(server, { engine, onlooker, caller, lasts, lasting, listened, closed: closed.signal })
    : undefined
  lasting?.onStream(
    () => void followAgain(lasting, { server, caller, seat, engine: onlooker, follower, now: parts.now }),
  )
  parts.onCalled?.(() => resources?.hubUsed())
  server.setRequestHandler('tools/list', () => ({ tools: operations.map(toolOf) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const operation = operations.find((known) => toolNameOf(known) === params.name)
    if (!operation) {
      parts.onRefused({
        caller: caller.name,
        method: params.name.slice(0, 100),
        reason: 'There is no such tool for this caller.',
      })
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name} here.`)
    }
    const result = await callTool(operation, params.arguments, context, {
      ...parts,
      caller,
      seat,
      signer,
      memory,
      server,
      forms,
      follower,
    })
    if (!parts.onCalled) resources?.hubUsed()
    return result
  })
  if (calls)
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) calls.cancel(params.requestId)
    })
  return server
}

/**
 * A child is not notified of changes: the CLI would hold a connection open for that, and when the hub has gone offer its token
 * to whatever program listens there next.
 */
function newsFor({ kind }: Caller): { subscribe?: boolean; listChanged?: boolean } {
  return kind === 'session' ? {} : { subscribe: true, listChanged: true }
}

interface Connection extends McpParts {
  readonly seat: Seat
  readonly signer: Signer
  readonly memory: CallerMemory
  readonly server: Server
  readonly forms: OpenForms
  readonly follower: QuestionFollower
}

async function callTool(
  operation: Operation,
  given: unknown,
  { mcpReq }: ServerContext,
  connection: Connection,
): Promise<ToolResult | InputRequiredResult> {
  const { caller, calls, progressMs, closing, onError } = connection
  const open = calls?.open(mcpReq.id)
  const gone = open ? AbortSignal.any([mcpReq.signal, open.signal]) : mcpReq.signal
  const say = operation.waits ? progressOf(mcpReq) : undefined
  const alive = say && (await keepAlive(say, progressMs))
  try {
    const made = await callWithQuestions(operation, given, mcpReq, { ...connection, gone, say })
    if ('resultType' in made) return made
    // A child has to ask the next hub: an error would be the answer to its question.
    if (made.result.isError && closing?.aborted && caller.kind === 'session') return new Promise(() => {})
    const stops = closing?.aborted && operation.waits && !made.result.isError ? [HUB_STOPS] : []
    return withNotes(made.result, [...made.notes, ...stops])
  } catch (cause) {
    const error = closing?.aborted && isInternal(cause) ? cutOff(cause) : cause
    if (isInternal(error) && !gone.aborted) onError(error)
    return failedResult(error, operation)
  } finally {
    clearInterval(alive)
    open?.close()
  }
}

interface During {
  readonly gone: AbortSignal
  readonly say: Say | undefined
}

/** Makes the call; if a person is known to be at the client, the questions that it finds are put to them. */
async function callWithQuestions(
  operation: Operation,
  given: unknown,
  mcpReq: ServerContext['mcpReq'],
  connection: Connection & During,
): Promise<Elicited | InputRequiredResult> {
  const { server, engine, caller, seat, closing, gone, say, memory, now = Date.now } = connection
  const { signer, forms, lasting, follower, workingDirectory, onError, onRefused } = connection
  const { call = runHere({ engine, onError, onRefused }) } = connection
  const signal = closing ? AbortSignal.any([gone, closing]) : gone
  const takes = formsOf(server, mcpReq, caller)
  const place = takes && new FormPlace(caller, takes.client, seat, now)
  const resumable = lasting?.call(mcpReq.id)
  const onEvent = async (event: CallEvent) => {
    if (event.type === 'text') return say?.(event.text)
    if (event.type === 'begun') {
      memory.note({ working: [event.sessionId] })
      resumable?.begun(event.sessionId)
    } else if (takes?.way === 'push' && place?.isOpen) {
      follower.follow(event.sessionId, event.lastSeq, place)
      noteFollowed(lasting, event.sessionId)
    }
  }
  let shown: MemoryChanges | undefined
  const makeCall: MakeCall = async (more = {}) => {
    const answer = await call(
      operation,
      {
        tool: toolNameOf(operation),
        arguments: given,
        workingDirectory,
        ask: seat.ask,
        known: memory.known,
        again: resumable?.isResumed ? { sessionId: resumable.sessionId } : undefined,
        observe: place?.isOpen,
        ...more,
      },
      { caller, signal, gone, closing, onEvent },
    )
    memory.note(answer.memory)
    shown = answer.memory
    return answer
  }
  const parts = { makeCall, engine, caller, signal, mcpReq }
  const made = !place
    ? { result: (await makeCall()).result, notes: [] }
    : takes?.way === 'push'
      ? await callWithForms(parts, place, forms)
      : await callInRounds({ ...parts, operation }, place, signer)
  if (!('resultType' in made) && !signal.aborted && shown) memory.noteResult(shown)
  return made
}

function runHere(parts: RunParts): CallOperation {
  return (operation, call, caller) => runOperation(parts, operation, call, caller)
}
