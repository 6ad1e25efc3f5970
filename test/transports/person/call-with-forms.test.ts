import type { ServerContext } from '@modelcontextprotocol/server'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Looked, OperationAnswer } from '../../../src/api/operation/operation-call.ts'
import { MAX_TIMER_MS } from '../../../src/base/limits.ts'
import { callWithForms, sessionOf } from '../../../src/transports/person/call-with-forms.ts'
import { OpenForms } from '../../../src/transports/person/open-forms.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { aPlace, aQuestion, QuestionEngine } from '../../rig/clients/question-engine.ts'

const memory = { working: [], dropped: [], answered: [], ended: [], asked: [] }
const result = { content: [], structuredContent: { sessionId: 's1' } }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(500)
  onTestFinished(() => void vi.useRealTimers())
})

/** A call that finds the questions of a hub, at a client that cancels each form after two seconds. */
function aCall(looked: Partial<Looked> | undefined, questions = [aQuestion()]) {
  const { engine } = new QuestionEngine(...questions)
  const made: object[] = []
  const sent: { request: { method: string; params: object }; options: object }[] = []
  const send = async (request: { method: string; params: object }, options: object) => {
    sent.push({ request, options })
    vi.advanceTimersByTime(2_000)
    return { action: 'cancel' }
  }
  const makeCall = async (more: object = {}): Promise<OperationAnswer> => {
    made.push(more)
    const found = looked && { looked: { asked: questions, waits: true, leftMs: 50_000, ...looked } }
    return { result, memory, ...found }
  }
  const call = {
    makeCall,
    engine,
    caller: CALLERS.owner,
    signal: new AbortController().signal,
    mcpReq: { send } as unknown as ServerContext['mcpReq'],
  }
  return { made, sent, run: () => callWithForms(call, aPlace(), new OpenForms(engine)) }
}

test('the questions of a call are put one after the other, and the call is repeated for its session', async () => {
  const { made, sent, run } = aCall({}, [aQuestion(), aQuestion({ id: 'q2' })])
  expect(await run()).toEqual({ result, notes: [] })
  expect(made).toEqual([
    {},
    { again: { sessionId: 's1' }, waitedMs: 2_000 },
    { again: { sessionId: 's1' }, waitedMs: 4_000 },
  ])
  expect(sent.map(({ request }) => request.method)).toEqual(['elicitation/create', 'elicitation/create'])
  expect(sent[0]).toMatchObject({
    request: { params: { mode: 'form' } },
    options: { signal: expect.any(AbortSignal) as unknown, timeout: MAX_TIMER_MS },
  })
})

test.each([
  ['nothing was looked at', undefined],
  ['no time is left', { leftMs: 0 }],
  ['nothing is asked', { asked: [] }],
])('the result is returned at once where %s', async (_, looked) => {
  const { made, sent, run } = aCall(looked)
  expect(await run()).toEqual({ result, notes: [] })
  expect([made, sent]).toEqual([[{}], []])
})

test.each([
  [{ sessionId: 's1' }, 's1'],
  [{ sessionId: 7 }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('the session of the result %j is %s', (structuredContent, sessionId) => {
  expect(sessionOf({ content: [], ...(structuredContent ? { structuredContent } : {}) })).toBe(sessionId)
})
