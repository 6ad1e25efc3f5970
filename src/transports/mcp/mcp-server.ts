import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { AtWork, Telling } from '../../api/operation/caller-memory.ts'
import { type Context, type Operation, toolNameOf } from '../../api/operation/operation.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import { type Signer, createSigner } from '../../text/signed-text.ts'
import { VERSION } from '../../base/version.ts'
import { callInRounds } from '../person/call-in-rounds.ts'
import { type Call, callWithForms, type Elicited } from '../person/call-with-forms.ts'
import { type ClientForms, formsOf } from '../person/client-forms.ts'
import { FOR_EVER_MS, OpenForms } from '../person/open-forms.ts'
import { isInternal, toldOf } from '../error-response.ts'
import { FormPlace } from '../person/form-place.ts'
import { FormSwitch, type Seat } from '../person/known-person.ts'
import { isRefusal, type Refused } from '../refused-call.ts'
import { mayReadResources, offerResources } from '../resources/mcp-resources.ts'
import { instructionsFor, toolOf } from './mcp-tool.ts'
import type { ClientCalls } from './open-calls.ts'
import { keepAlive, progressOf, type Say } from './progress.ts'
import { followAgain, noteFollowed } from '../person/follow-after-restart.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import { QuestionFollower } from '../person/question-follower.ts'
import { resumably } from './resumable-call.ts'
import { toolResult } from './tool-result.ts'
import { watchedEngine } from '../person/watched-engine.ts'

export interface McpParts {
  readonly engine: Context['engine']
  /** Where a hub may have to be started: the same without that, for what clients do unasked. */
  readonly onlooker?: Context['engine'] | undefined
  readonly caller: Caller
  readonly operations: readonly Operation[]
  /** Who sits at the client, as far as that is known; nobody, if left out. */
  readonly seat?: Seat | undefined
  /** Where a call goes on in another server: what its rounds are signed by. */
  readonly signer?: Signer | undefined
  /** Milliseconds since 1970, by which the time that a form took is measured. */
  readonly now?: (() => number) | undefined
  readonly workingDirectory?: string | undefined
  /** What there is to say once, to who starts something. */
  readonly notice?: (() => string | undefined) | undefined
  /** What the caller knows to be at work, where that outlasts this server. */
  readonly atWork?: AtWork | undefined
  /** Where each message has a server of its own, a cancellation finds the call that it is meant for by this. */
  readonly calls?: ClientCalls | undefined
  /** Over HTTP, where the server lasts longer than one message: messages that belong to no call need a stream there. */
  readonly lasting?: LastingConnection | undefined
  /** Aborts when the client wants to be told of what is new in a way that the server does not see. */
  readonly listened?: AbortSignal | undefined
  /** A call that says nothing for longer is given up: by the CLI after five minutes, by others after one. */
  readonly progressMs: number
  /** The server is about to go: what waits is answered as it stands, and a child is not, so that it may ask the next one. */
  readonly closing?: AbortSignal | undefined
  readonly onError: (error: unknown) => void
  /** Somebody wanted what they may not have. */
  readonly onRefused: (refused: Refused) => void
}

/** A server of MCP for one caller: operations are its tools. Ends what it has begun when it is closed. */
export function mcpServerFor(parts: McpParts): Server {
  const { engine, onlooker = engine, operations, calls, listened, lasting, atWork = new AtWork() } = parts
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
        { signal, timeout: FOR_EVER_MS },
      ),
  })
  const onclose = () => {
    closed.abort()
    follower.close()
  }
  // Most clients take the id 0 for none, and what has none cannot be taken back.
  Object.assign(server, { onclose, _requestMessageId: 1 })
  const lasts = calls === undefined
  const resources = mayReadResources(caller)
    ? offerResources(server, { engine, onlooker, caller, lasts, lasting, listened, closed: closed.signal })
    : undefined
  lasting?.onStream(
    () => void followAgain(lasting, { server, caller, seat, engine: onlooker, follower, now: parts.now }),
  )
  server.setRequestHandler('tools/list', () => ({ tools: operations.map(toolOf) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const operation = operations.find((one) => toolNameOf(one) === params.name)
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
      atWork,
      server,
      forms,
      follower,
    })
    resources?.hubUsed()
    return result
  })
  if (calls)
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) calls.cancel(params.requestId)
    })
  return server
}

/**
 * A child is told of no news: the CLI would hold a connection open for it, and when the hub has gone offer its token to
 * whoever listens there next.
 */
function newsFor({ kind }: Caller): { subscribe?: boolean; listChanged?: boolean } {
  return kind === 'session' ? {} : { subscribe: true, listChanged: true }
}

interface Connection extends McpParts {
  readonly seat: Seat
  readonly signer: Signer
  readonly atWork: AtWork
  readonly server: Server
  readonly forms: OpenForms
  readonly follower: QuestionFollower
}

async function callTool(
  called: Operation,
  given: unknown,
  { mcpReq }: ServerContext,
  connection: Connection,
): Promise<CallToolResult | InputRequiredResult> {
  const { operation, engine } = resumably(called, connection.engine, connection.lasting?.call(mcpReq.id))
  const { caller, calls, progressMs, closing, onError, onRefused } = connection
  const call = calls?.open(mcpReq.id)
  const gone = call ? AbortSignal.any([mcpReq.signal, call.signal]) : mcpReq.signal
  const say = operation.waits ? progressOf(mcpReq) : undefined
  const alive = say && (await keepAlive(say, progressMs))
  try {
    const told = await done(operation, given, mcpReq, { ...connection, engine, gone, say })
    if ('resultType' in told) return told
    const notes = closing?.aborted && operation.waits ? [...told.notes, HUB_STOPS] : told.notes
    return toolResult(operation, { ...told, notes })
  } catch (cause) {
    // A child has to ask the next hub: an error would be the answer to its question.
    if (closing?.aborted && caller.kind === 'session') return new Promise(() => {})
    const error = closing?.aborted && isInternal(cause) ? new AppError('busy', HUB_STOPS, { cause }) : cause
    if (isInternal(error) && !gone.aborted) onError(error)
    if (isRefusal(error, caller))
      onRefused({ caller: caller.name, method: operation.name, reason: error.message })
    return { content: [{ type: 'text', text: JSON.stringify(toldOf(error, operation)) }], isError: true }
  } finally {
    clearInterval(alive)
    call?.close()
  }
}

interface During {
  readonly gone: AbortSignal
  readonly say: Say | undefined
}

/** Does it; where a person is known to sit at the client, they are asked what it comes upon. */
async function done(
  operation: Operation,
  given: unknown,
  mcpReq: ServerContext['mcpReq'],
  connection: Connection & During,
): Promise<Elicited | InputRequiredResult> {
  const { server, engine, caller, seat, workingDirectory, notice, closing, gone, say } = connection
  const signal = closing ? AbortSignal.any([gone, closing]) : gone
  const tell: Context['tell'] = say && (async ({ text }) => (text === undefined ? undefined : say(text)))
  const atWork = new Telling(connection.atWork)
  const who = { caller, signal }
  const at = { workingDirectory, ask: seat.ask, notice }
  const context: Context = { engine, who, ...at, atWork, gone, closing, tell }
  const takes = formsOf(server, mcpReq, caller)
  const told = takes
    ? await doneWithForms({ operation, given, context, mcpReq }, takes, connection)
    : { result: await operation.call(context, given), notes: [] }
  if (!('resultType' in told) && !signal.aborted) atWork.given()
  return told
}

function doneWithForms(
  { context, ...call }: Omit<Call, 'watched'>,
  { way, client }: ClientForms,
  { caller, seat, signer, forms, follower, lasting, now = Date.now }: Connection,
): Promise<Elicited | InputRequiredResult> {
  const place = new FormPlace(caller, client, seat, now)
  const watched = watchedEngine(context.engine, (sessionId, lastSeq) => {
    if (way !== 'push' || !place.isOpen) return
    follower.follow(sessionId, lastSeq, place)
    noteFollowed(lasting, sessionId)
  })
  const elicited = { ...call, context: { ...context, engine: watched.engine }, watched }
  return way === 'push' ? callWithForms(elicited, place, forms) : callInRounds(elicited, place, signer)
}

const HUB_STOPS =
  'The hub stops; what it has begun goes on. Call claude_status again in a moment, or claude_list where no session is known.'
