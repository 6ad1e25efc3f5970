import type { ServerContext } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { start } from '../../../src/api/claude/start.ts'
import { status } from '../../../src/api/claude/status.ts'
import type { Looked, OperationAnswer } from '../../../src/api/operation/operation-call.ts'
import type { Operation } from '../../../src/api/operation/operation.ts'
import { AppError } from '../../../src/base/errors.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { createSigner } from '../../../src/text/signed-text.ts'
import { callInRounds } from '../../../src/transports/person/call-in-rounds.ts'
import { type RoundState, roundIn, sealedRound } from '../../../src/transports/person/round-state.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { ALLOW } from '../../rig/clients/people.ts'
import { aPlace, aQuestion, QuestionEngine } from '../../rig/clients/question-engine.ts'

const signer = createSigner('key')
const NOW = 1_000_000
const memory = { working: [], dropped: [], answered: [], ended: [], asked: [] }
const RESULT = { content: [], structuredContent: { sessionId: 's9' } }
const tried = (...ids: string[]) => ids.map((id) => ({ id, sessionId: 's1', askedAt: NOW - 5_000 }))

interface Setting {
  readonly operation?: Operation
  readonly state?: RoundState
  readonly responses?: Record<string, unknown>
  /** The questions that the call finds; those of the hub unless given. */
  readonly found?: readonly PendingQuestion[]
  readonly looked?: Partial<Looked> | 'not'
  readonly isError?: boolean
}

/** One round of a call at a hub with these questions. */
async function round(hub: QuestionEngine, setting: Setting = {}) {
  const { operation = status, state, responses, found = hub.open, looked = {}, isError = false } = setting
  const made: object[] = []
  const mcpReq = {
    requestState: () => state && sealedRound(signer, state),
    inputResponses: responses,
  } as unknown as ServerContext['mcpReq']
  const makeCall = async (more: object = {}): Promise<OperationAnswer> => {
    made.push(more)
    const seen = looked === 'not' ? {} : { looked: { asked: found, waits: true, leftMs: 9, ...looked } }
    return { result: { ...RESULT, isError }, memory, ...seen }
  }
  const { signal } = new AbortController()
  const call = { operation, makeCall, engine: hub.engine, caller: CALLERS.owner, signal, mcpReq }
  const outcome = await callInRounds(call, aPlace(), signer)
  const notes = 'notes' in outcome ? outcome.notes : undefined
  const requests = 'inputRequests' in outcome ? outcome.inputRequests : undefined
  const next = 'requestState' in outcome ? roundIn(signer, outcome.requestState) : undefined
  return { made, notes, asked: requests && Object.keys(requests), next }
}

const [q1, q2] = [aQuestion(), aQuestion({ id: 'q2' })]

describe('the first round', () => {
  test('asks the oldest question, and carries its session and when it was put', async () => {
    const { made, asked, next } = await round(new QuestionEngine(q1, q2))
    expect(made).toEqual([{}])
    expect(asked).toEqual(['q1'])
    expect(next).toEqual({ sessionId: 's9', tried: [{ id: 'q1', sessionId: 's1', askedAt: NOW }] })
  })

  test('of a call that starts a session returns the session, and a note instead of the form', async () => {
    const { asked, notes } = await round(new QuestionEngine(q1), { operation: start })
    expect(asked).toBeUndefined()
    expect(notes).toEqual([expect.stringContaining('call claude_status')])
  })

  test.each<[string, Setting]>([
    ['nothing was looked at', { looked: 'not' }],
    ['nothing is asked', { found: [] }],
    ['the call does not wait', { looked: { waits: false } }],
    ['the call has failed', { isError: true }],
    ['no form can ask it', { found: [aQuestion({ kind: 'form', input: { mode: 'url' } })] }],
  ])('returns the result without notes where %s', async (_, setting) => {
    expect(await round(new QuestionEngine(q1), setting)).toMatchObject({ asked: undefined, notes: [] })
  })
})

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`)

const askedAfter = async (count: number) =>
  (await round(new QuestionEngine(q1), { state: { tried: tried(...idsOf(count)) } })).asked

describe('the next round', () => {
  test('takes the answer, continues with the session, and asks what was not asked yet', async () => {
    const hub = new QuestionEngine(q2, q1)
    const state = { sessionId: 's1', tried: tried('q1') }
    const { made, asked, next } = await round(hub, { state, responses: { q1: ALLOW } })
    expect(hub.answered).toMatchObject([{ caller: { person: true }, input: { approvalId: 'q1' } }])
    expect(made).toEqual([{ again: { sessionId: 's1' } }])
    expect(asked).toEqual(['q2'])
    expect(next).toMatchObject({ sessionId: 's1', tried: [{ id: 'q1' }, { id: 'q2', askedAt: NOW }] })
  })

  test('goes by when the form was put: within a second it is no person', async () => {
    const hub = new QuestionEngine(q1)
    const state = { tried: [{ id: 'q1', sessionId: 's1', askedAt: NOW - 500 }] }
    await round(hub, { state, responses: { q1: ALLOW } })
    expect(hub.answered).toMatchObject([{ caller: { person: false } }])
  })

  test('asks also for a call that starts a session: the caller knows the session by then', async () => {
    const state = { sessionId: 's1', tried: tried('q1') }
    const { asked } = await round(new QuestionEngine(q1, q2), { operation: start, state })
    expect(asked).toEqual(['q2'])
  })

  test('without a response to a form takes nothing for an answer', async () => {
    const hub = new QuestionEngine(q1)
    const { notes } = await round(hub, { state: { tried: tried('q1') } })
    expect([hub.answered, notes]).toEqual([[], []])
  })

  test('after eight forms asks no more', async () => {
    expect([await askedAfter(7), await askedAfter(8)]).toEqual([['q1'], undefined])
  })

  test('has a note for an answer to a question that is settled', async () => {
    const answered = { state: { tried: tried('q1') }, responses: { q1: ALLOW } }
    const hub = new QuestionEngine()
    expect((await round(hub, answered)).notes).toEqual(["The person's answer had no effect."])
    expect(hub.answered).toMatchObject([{ input: { approvalId: 'q1', sessionId: 's1' } }])
    hub.refusal = new AppError('already_settled', 'It was denied by operator.')
    const note = "The person's answer had no effect: It was denied by operator."
    expect((await round(hub, answered)).notes).toEqual([note])
    hub.refusal = new TypeError('bug')
    await expect(round(hub, answered)).rejects.toThrow('bug')
  })
})
