import { inputRequired, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context, Operation } from '../api/operation.ts'
import type { Who } from '../engine/engine.ts'
import { AppError } from '../errors.ts'
import type { ClientPerson } from './client-person.ts'
import { elicitationOf, type OpenForms } from './elicitation.ts'
import { takeAnswer } from './person-answer.ts'
import type { Watched } from './watched-engine.ts'

export interface Call {
  readonly operation: Operation
  readonly given: unknown
  readonly context: Context
  readonly watched: Watched
  readonly mcpReq: ServerContext['mcpReq']
}

export interface Elicited {
  readonly result: object
  /** What the caller should be told besides. */
  readonly notes: readonly string[]
}

/**
 * Makes a call and puts the questions that it comes upon to the client's person, one after the other, for as long as the
 * call waits. What is not answered by then is in its result, and its form stays open.
 */
export async function callWithForms(
  { operation, given, context, watched, mcpReq }: Call,
  { identity }: ClientPerson,
  forms: OpenForms,
): Promise<Elicited> {
  const notes: string[] = []
  const tried = new Set<string>()
  const put = (params: object, signal: AbortSignal) =>
    mcpReq.send({ method: 'elicitation/create', params: { ...params } }, { signal, timeout: FOR_EVER_MS })
  let result = await operation.call(context, given)
  const sessionId = sessionOf(result)
  for (;;) {
    const asked = watched.asked().find(({ id }) => !tried.has(id))
    if (!asked || watched.leftMs() === 0 || context.who.signal?.aborted) return { result, notes }
    const over = await first(
      forms.put({ caller: identity }, asked, put),
      watched.leftMs(),
      context.who.signal,
    )
    if (!over) return { result, notes }
    tried.add(asked.id)
    if (over.note !== undefined) notes.push(over.note)
    watched.forget()
    result = await operation.again(context, given, sessionId)
  }
}

const OfSession = z.looseObject({ sessionId: z.string() })

/** The session that a call tells of, if it is one. */
function sessionOf(result: object): string | undefined {
  return OfSession.safeParse(result).data?.sessionId
}

/** What came of it, or undefined when time is up. */
async function first<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  const timer = new AbortController()
  const end = AbortSignal.any([timer.signal, ...(signal ? [signal] : [])])
  try {
    return await Promise.race([promise, sleep(ms, undefined, { signal: end }).catch(() => undefined)])
  } finally {
    timer.abort()
  }
}

/** What goes through the client between two rounds of one call. It selects, and gives no right to anything. */
const State = z.object({
  /** The session that the call told of. */
  sessionId: z.string().optional(),
  /** Questions that the person was asked and that may still be open: not asked again in this call. */
  tried: z
    .array(z.object({ id: z.string(), sessionId: z.string() }))
    .min(1)
    .max(100),
})
type State = z.infer<typeof State>

/**
 * The same where nobody can be asked while a call is open: the result is the question, and the client makes the call again
 * with the answer. Nothing is kept here, and a call made again goes on with its session.
 */
export async function callInRounds(
  { operation, given, context, watched, mcpReq }: Call,
  { identity }: ClientPerson,
): Promise<Elicited | InputRequiredResult> {
  const state = stateFrom(mcpReq.requestState())
  const who: Who = { caller: identity }
  const notes = state ? await takeAll(context, who, mcpReq.inputResponses ?? {}, state) : []
  watched.forget()
  const tried = state?.tried ?? []
  const result = state
    ? await operation.again(context, given, state.sessionId)
    : await operation.call(context, given)
  const asked = watched.asked().find(({ id }) => !tried.some((one) => one.id === id))
  if (!asked || !watched.waits() || tried.length >= MOST_ROUNDS) return { result, notes }
  const form = await elicitationOf(context.engine, who, asked)
  if (!form) return { result, notes }
  const next: State = {
    sessionId: state?.sessionId ?? sessionOf(result),
    tried: [...tried, { id: asked.id, sessionId: asked.sessionId }],
  }
  return inputRequired({
    inputRequests: { [asked.id]: inputRequired.elicit(form) },
    requestState: JSON.stringify(next),
  })
}

function stateFrom(given: unknown): State | undefined {
  if (typeof given !== 'string') return undefined
  try {
    return State.parse(JSON.parse(given))
  } catch {
    throw new AppError('invalid_input', 'requestState must come back as it was sent.')
  }
}

async function takeAll(
  { engine, who: { caller } }: Context,
  who: Who,
  responses: Readonly<Record<string, unknown>>,
  { tried }: State,
): Promise<string[]> {
  const notes: string[] = []
  for (const { id, sessionId } of tried) {
    if (!Object.hasOwn(responses, id)) continue
    const asked = (await engine.pending({ caller }, { sessionId })).find((one) => one.id === id)
    const note = asked
      ? (await takeAnswer(engine, who, asked, responses[id])).note
      : await howSettled(engine, who, { approvalId: id, sessionId })
    if (note !== undefined) notes.push(note)
  }
  return notes
}

/** Who settled what is not open any more. It says no answer, so it cannot settle anything itself. */
async function howSettled(
  engine: Context['engine'],
  who: Who,
  named: { approvalId: string; sessionId: string },
): Promise<string> {
  try {
    await engine.answer(who, named)
  } catch (error) {
    if (error instanceof AppError) return `The answer of the person did not count: ${error.message}`
    throw error
  }
  return 'The answer of the person did not count.'
}

/** Fewer than a client goes along with. */
const MOST_ROUNDS = 8
/** A person has as long as the question has: what a timer can hold. */
const FOR_EVER_MS = 2_147_483_647
