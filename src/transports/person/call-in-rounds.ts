import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'
import type { Context } from '../../api/operation/operation.ts'
import { AppError } from '../../base/errors.ts'
import { type Call, type Elicited, nextToPut, sessionOf } from './call-with-forms.ts'
import { elicitationOf } from './open-forms.ts'
import type { FormPlace } from './form-place.ts'
import { takeAnswer } from './form-answer.ts'
import type { Signer } from '../../text/signed-text.ts'
import { roundIn, type RoundState, sealedRound } from './round-state.ts'

/**
 * Makes a call where nobody can be asked while it is open: the result is the question, and the client makes the call again
 * with the answer. Nothing is kept here, and a call made again goes on with its session. The client may never come back, so
 * what begins a session answers with that session first, and a form comes with the next call.
 */
export async function callInRounds(
  { operation, given, context, watched, mcpReq }: Call,
  place: FormPlace,
  signer: Signer,
): Promise<Elicited | InputRequiredResult> {
  const state = roundIn(signer, mcpReq.requestState())
  const notes = state ? await takeAll(context, place, mcpReq.inputResponses ?? {}, state) : []
  watched.forget()
  const tried = state?.tried ?? []
  const result = state
    ? await operation.again(context, given, state.sessionId)
    : await operation.call(context, given)
  const open = watched.asked().filter(({ id }) => !tried.some((one) => one.id === id))
  const asked = await nextToPut(context, place, open)
  if (!asked || !watched.waits() || tried.length >= MOST_ROUNDS) return { result, notes }
  if (!state && operation.begins) return { result, notes: [...notes, NEXT_CALL] }
  const form = await elicitationOf(context.engine, { caller: place.caller }, asked)
  if (!form) return { result, notes }
  const requestState = sealedRound(signer, {
    sessionId: state?.sessionId ?? sessionOf(result),
    tried: [...tried, { id: asked.id, sessionId: asked.sessionId, askedAt: place.now() }],
  })
  return inputRequired({ inputRequests: { [asked.id]: inputRequired.elicit(form) }, requestState })
}

async function takeAll(
  context: Context,
  place: FormPlace,
  responses: Readonly<Record<string, unknown>>,
  { tried }: RoundState,
): Promise<string[]> {
  const { engine, who } = context
  const notes: string[] = []
  for (const { id, sessionId, askedAt } of tried) {
    if (!Object.hasOwn(responses, id)) continue
    const asked = (await engine.pending({ caller: who.caller }, { sessionId })).find((one) => one.id === id)
    const filled = responses[id]
    const note = asked
      ? (await takeAnswer(engine, place, { asked, filled, tookMs: place.now() - askedAt })).note
      : await howSettled(context, { approvalId: id, sessionId })
    if (note !== undefined) notes.push(note)
  }
  return notes
}

/** Who settled what is not open any more. It says no answer, so it cannot settle anything itself. */
async function howSettled(
  { engine, who: { caller } }: Context,
  named: { approvalId: string; sessionId: string },
): Promise<string> {
  try {
    await engine.answer({ caller }, named)
  } catch (error) {
    if (error instanceof AppError) return `The answer of the person did not count: ${error.message}`
    throw error
  }
  return 'The answer of the person did not count.'
}

const NEXT_CALL =
  'The person at your client is asked first: call claude_status with this sessionId, which puts the question to them.'
/** Fewer than a client goes along with. */
const MOST_ROUNDS = 8
