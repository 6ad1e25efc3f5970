import { expect, test } from 'vitest'
import type { Decision } from '../../../src/events/decision.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { type Asked, PermitCalls } from '../../../src/sessions/run/permit-calls.ts'
import { cancelled, seen } from '../../rig/cli/event-stories.ts'
import { memoryWriter } from '../../rig/hubs/memory-writer.ts'
import { asApprovalId, asRunId } from '../../rig/tools/ids.ts'

const DATE: Asked = { toolName: 'Bash', input: { command: 'date' }, toolUseId: 'tool-1' }
const ALLOWED: Decision = { behavior: 'allow', updatedInput: DATE.input }
const WITH_NOTE: Decision = { ...ALLOWED, message: 'well done' }
const RUN: SessionEvent = { type: 'run.started', runId: asRunId('r') }

/** The calls of a session, and its questions on record. */
async function asking(...before: readonly SessionEvent[]) {
  const { store, writer, events, listeners } = await memoryWriter(...before)
  const errors: unknown[] = []
  const calls = new PermitCalls(
    writer,
    () => undefined,
    (error) => errors.push(error),
  )
  const opened = async () =>
    (await events()).filter((event): event is EventOf<'approval.opened'> => event.type === 'approval.opened')
  const ask = async (asked = DATE) => {
    const ends = { gone: new AbortController(), ended: new AbortController(), closing: new AbortController() }
    const { gone, ended, closing } = ends
    const answer = calls.ask(asked, { gone: gone.signal, ended: ended.signal, closing: closing.signal })
    answer.catch(() => {})
    await writer.append([]) // after the step that opens the question
    return { answer, ...ends, question: (await opened()).at(-1) }
  }
  const settle = (approvalId = '', decision: Decision = ALLOWED) =>
    writer.append([
      { type: 'approval.settled', approvalId: asApprovalId(approvalId), status: 'allowed', decision },
    ])
  const status = async (id = '') => (await store.approvals.get(id))?.status
  return { writer, events, listeners, errors, calls, ask, opened, settle, status }
}

type End = 'gone' | 'ended' | 'closing'

test.each<[End[], string]>([
  [['gone'], 'withdrawn'],
  [['ended'], 'pending'],
  [['ended', 'gone'], 'pending'],
  [['closing', 'gone'], 'pending'],
])('a question whose call ends by %j is %s', async (ends, expected) => {
  const { ask, status, listeners, writer } = await asking()
  const call = await ask()
  for (const end of ends) call[end].abort()
  await expect(call.answer).rejects.toMatchObject({ name: 'AbortError' })
  await writer.append([])
  expect(await status(call.question?.approvalId)).toBe(expected)
  expect(listeners()).toBe(0)
})

test('a question of an asker that can only go is withdrawn when it goes', async () => {
  const { calls, status, opened, writer } = await asking()
  const gone = new AbortController()
  const answer = calls.ask(DATE, { gone: gone.signal, closing: new AbortController().signal })
  answer.catch(() => {})
  await writer.append([])
  gone.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect(await status((await opened())[0]?.approvalId)).toBe('withdrawn')
})

test('an answer that came before the asker went is kept, and a question that was cancelled is not settled', async () => {
  const { ask, settle, status, events, writer } = await asking(RUN)
  const answered = await ask()
  void settle(answered.question?.approvalId)
  answered.gone.abort()
  await expect(answered.answer).rejects.toMatchObject({ name: 'AbortError' })
  expect(await status(answered.question?.approvalId)).toBe('allowed')
  const other = await ask({ ...DATE, toolUseId: 'tool-2' })
  void writer.append([cancelled(other.question?.requestId ?? '')])
  other.gone.abort()
  await expect(other.answer).rejects.toMatchObject({ name: 'AbortError' })
  const { approvalId } = other.question ?? {}
  const settlements = (await events()).filter(
    (event) => event.type === 'approval.settled' && event.approvalId === approvalId,
  )
  expect(settlements.length).toBeLessThanOrEqual(1)
})

test('the latest of the calls that ask the same gets the answer, and the others withdraw nothing', async () => {
  const { ask, opened, settle, listeners } = await asking()
  const [first, second] = [await ask(), await ask()]
  first.gone.abort()
  const third = await ask()
  for (const { answer } of [first, second])
    await expect(answer).rejects.toMatchObject({
      code: 'in_use',
      message: 'This question was asked again since; its answer goes there.',
    })
  expect((await opened()).length).toBe(1)
  await settle(third.question?.approvalId)
  expect(await third.answer).toEqual(ALLOWED)
  expect(listeners()).toBe(0)
})

test.each<[string, Asked]>([
  ['call', { ...DATE, toolUseId: 'tool-2' }],
  ['tool', { ...DATE, toolName: 'Monitor' }],
  ['input', { ...DATE, input: { command: 'date -u' } }],
])('another %s is another question', async (_, other) => {
  const { ask, opened } = await asking()
  await ask()
  await ask(other)
  expect((await opened()).map(({ toolName, input, toolUseId }) => ({ toolName, input, toolUseId }))).toEqual([
    DATE,
    other,
  ])
})

test('a question that the child asked by a line is not taken for the question of a call', async () => {
  const byLine = {
    ...DATE,
    type: 'approval.opened',
    approvalId: asApprovalId('a'),
    requestId: 'r',
    kind: 'tool',
  } as const
  const { ask, opened } = await asking(byLine)
  await ask()
  expect((await opened()).map(({ carrier }) => carrier)).toEqual([undefined, 'mcp'])
})

const hook = (id: string, agentId: string) => ({ ...seen(id), agentId })

test('the agent that asks is the agent that our hook saw for this call', async () => {
  const { ask } = await asking(hook('0', 'other'), hook('1', 'agent'))
  expect((await ask()).question).toMatchObject({ agentId: 'agent' })
  expect((await ask({ ...DATE, toolUseId: 'unseen' })).question).not.toHaveProperty('agentId')
})

test('a question that was cancelled will not be answered, which its call says', async () => {
  const { ask, writer, listeners } = await asking()
  const { answer, question } = await ask()
  await writer.append([cancelled(question?.requestId ?? '')])
  await expect(answer).rejects.toMatchObject({ code: 'already_settled' })
  expect(listeners()).toBe(0)
})

test('with its answer a question from outside is over, and the question of our own child is open until its tool ends', async () => {
  for (const [before, open] of [
    [[], 0],
    [[RUN], 1],
  ] as const) {
    const { ask, settle, events, errors, writer } = await asking(...before)
    const { answer, question } = await ask()
    await settle(question?.approvalId, WITH_NOTE)
    // The note goes to the model by the hook after the call.
    expect(await answer).toEqual(ALLOWED)
    expect(writer.state.open.approvals.size).toBe(open)
    expect((await events()).some(({ type }) => type === 'request.cancelled')).toBe(open === 0)
    expect(errors).toEqual([])
  }
})
