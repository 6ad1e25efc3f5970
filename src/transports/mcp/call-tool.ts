import type { InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server'
import type { CallerMemory, MemoryChanges } from '../../api/operation/caller-memory.ts'
import type { CallEvent, ToolResult } from '../../api/operation/operation-call.ts'
import { type Operation, toolNameOf } from '../../api/operation/operation.ts'
import type { Signer } from '../../text/signed-text.ts'
import { isInternal } from '../error-response.ts'
import { cutOff, failedResult, HUB_STOPS, runOperation, type RunParts } from '../operation/run-operation.ts'
import { withNotes } from '../operation/tool-result.ts'
import { callInRounds } from '../person/call-in-rounds.ts'
import { callWithForms, type Elicited, type MakeCall } from '../person/call-with-forms.ts'
import { formsOf } from '../person/client-forms.ts'
import { noteFollowed } from '../person/follow-after-restart.ts'
import { FormPlace } from '../person/form-place.ts'
import type { Seat } from '../person/known-person.ts'
import type { OpenForms } from '../person/open-forms.ts'
import type { QuestionFollower } from '../person/question-follower.ts'
import type { CallOperation, McpParts } from './mcp-parts.ts'
import { keepAlive, progressOf, type Say } from './progress.ts'

/** What a server has for all calls of its client. */
interface Connection extends McpParts {
  readonly seat: Seat
  readonly signer: Signer
  readonly memory: CallerMemory
  readonly server: Server
  readonly forms: OpenForms
  readonly follower: QuestionFollower
}

/** Answers one call of a tool. An error is a result, too. */
export async function callTool(
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
