import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'
import type { ApprovalKey, SessionKey } from '../../base/ids.ts'
import type { Operation } from '../../api/operation/operation.ts'
import { AppError } from '../../base/errors.ts'
import { type Elicited, type FormCall, nextToPut, sessionOf } from './call-with-forms.ts'
import { elicitationOf } from './open-forms.ts'
import { seenByPerson } from './seen-by-person.ts'
import type { FormPlace } from './form-place.ts'
import { takeAnswer } from './form-answer.ts'
import type { Signer } from '../../text/signed-text.ts'
import { roundIn, type RoundState, sealedRound } from './round-state.ts'

/**
 * Makes a call in a protocol where nobody can be asked while a call is open: the result is the question, and the client
 * makes the call again with the answer. Nothing is kept here, and the repeated call continues with its session. The client
 * may never come back, so a call that starts a session returns that session first, and the form comes with the next call.
 */
export async function callInRounds(
  { operation, makeCall, engine, caller, mcpReq }: FormCall & { readonly operation: Operation },
  place: FormPlace,
  signer: Signer,
): Promise<Elicited | InputRequiredResult> {
  const state = roundIn(signer, mcpReq.requestState())
  const notes = state ? await takeAll({ engine, caller }, place, mcpReq.inputResponses ?? {}, state) : []
  const tried = state?.tried ?? []
  const { result, looked } = await makeCall(state ? { again: { sessionId: state.sessionId } } : {})
  const seen = await seenByPerson(engine, place, looked?.asked ?? [])
  const open = seen.filter(({ id }) => !tried.some((form) => form.id === id))
  const asked = await nextToPut(engine, place, open)
  if (!asked || !looked?.waits || result.isError || tried.length >= MAX_ROUNDS) return { result, notes }
  if (!state && operation.begins) return { result, notes: [...notes, NEXT_CALL] }
  const form = await elicitationOf(engine, { caller: place.caller }, asked)
  if (!form) return { result, notes }
  const requestState = sealedRound(signer, {
    sessionId: state?.sessionId ?? sessionOf(result),
    tried: [...tried, { id: asked.id, sessionId: asked.sessionId, askedAt: place.now() }],
  })
  return inputRequired({ inputRequests: { [asked.id]: inputRequired.elicit(form) }, requestState })
}

type Asking = Pick<FormCall, 'engine' | 'caller'>

async function takeAll(
  { engine, caller }: Asking,
  place: FormPlace,
  responses: Readonly<Record<string, unknown>>,
  { tried }: RoundState,
): Promise<string[]> {
  const notes: string[] = []
  for (const { id, sessionId, askedAt } of tried) {
    if (!Object.hasOwn(responses, id)) continue
    const pending = await engine.pending({ caller }, { sessionId })
    const open = await seenByPerson(engine, place, pending)
    const asked = open.find((question) => question.id === id)
    const filled = responses[id]
    const note = asked
      ? (await takeAnswer(engine, place, { asked, filled, tookMs: place.now() - askedAt })).note
      : await howSettled({ engine, caller }, { approvalId: id, sessionId })
    if (note !== undefined) notes.push(note)
  }
  return notes
}

/** Finds out who settled a question that is no longer open. The call has no answer in it, so it cannot settle anything itself. */
async function howSettled(
  { engine, caller }: Asking,
  ref: { approvalId: ApprovalKey; sessionId: SessionKey },
): Promise<string> {
  try {
    await engine.answer({ caller }, ref)
  } catch (error) {
    if (error instanceof AppError) return `The person's answer had no effect: ${error.message}`
    throw error
  }
  return "The person's answer had no effect."
}

const NEXT_CALL =
  'The person at your client is asked first: call claude_status with this sessionId, which puts the question to them.'
/** Clients stop after more rounds than this. */
const MAX_ROUNDS = 8
