import { expect, test } from 'vitest'
import type { Client } from './client.ts'
import { cellsOf, type Facts } from './judge.ts'
import { ALLOWED, DENIED, FINAL, nextOf, PATIENCE, viewIn } from './parent.ts'

const client: Client = { name: 'one', title: 'One', version: '1', setup: '', run: async () => '' }
const asks = (command: string) => ({
  sessionId: 's',
  status: 'awaiting_input',
  pendingQuestion: { id: 'q', input: { command } },
})
const said = (...views: object[]) => views.map((view) => ({ text: JSON.stringify(view), isError: false }))
const answered = (decision: string) => ({ sessionId: 's', status: 'active', decision })
const GOOD: Facts = {
  results: said(asks(ALLOWED), answered('allowed'), asks(DENIED), answered('denied')),
  forms: [],
  questionMs: 400,
  hasAllowed: true,
  hasDenied: false,
}
const judged = (
  facts: Partial<Facts>,
  { output = FINAL, ...row }: { output?: string } & Partial<Client> = {},
) =>
  cellsOf(
    { client: { ...client, ...row }, transport: 'HTTP', run: 'flow' },
    { ...GOOD, ...facts },
    { output },
  )

test('a run in which everything happened is ok, and each thing that did not happen fails its step', () => {
  const ok = { start: 'ok', question: 'ok', allow: 'ok', deny: 'ok', done: 'ok' }
  expect(judged({})).toEqual(ok)
  expect(judged({ results: said(answered('denied')), hasAllowed: false })).toEqual({
    ...ok,
    question: 'FAIL (the first call did not show it)',
    allow: 'FAIL (what was allowed did not run)',
  })
  expect(judged({ questionMs: 30_000 })).toEqual({ ...ok, question: 'FAIL (it came after 30 s)' })
  expect(judged({ hasDenied: true })).toEqual({ ...ok, deny: 'FAIL (what was denied ran)' })
  expect(judged({ results: said(asks(ALLOWED), answered('allowed')) })).toEqual({
    ...ok,
    deny: 'FAIL (the parent never denied it)',
  })
  expect(judged({}, { output: 'sorry' })).toEqual({ ...ok, done: 'FAIL (the end never reached the user)' })
})

test('a failure that is listed as the client’s own is theirs, and one that is over fails', () => {
  const theirs = { 'HTTP done': 'it is mute', 'HTTP deny': 'it always says yes' } as const
  expect(judged({}, { output: '', theirs })).toMatchObject({
    done: 'theirs (it is mute)',
    deny: 'FAIL (it works, and is listed as theirs)',
  })
})

test('a hub that ends in good order may not cost the client a limit of its own', () => {
  const late = { output: FINAL, restartMs: 118_000 }
  const row = { client, transport: 'HTTP' } as const
  expect(cellsOf({ ...row, run: 'SIGTERM' }, GOOD, late)).toEqual({ SIGTERM: 'FAIL (it took 118 s)' })
  expect(cellsOf({ ...row, run: 'SIGKILL' }, GOOD, late)).toEqual({ SIGKILL: 'ok (after 118 s)' })
})

test('a parent finds what Plexus said in whatever a client wraps it, and continues without an id if it must', () => {
  const view = asks(ALLOWED)
  const text = JSON.stringify(view)
  for (const wrapped of [
    text,
    `Wall time: 4 seconds\nOutput:\n${text}`,
    JSON.stringify([{ type: 'text', text }]),
    JSON.stringify({ output: `<untrusted>\n${text}\n</untrusted>` }),
  ])
    expect(viewIn(wrapped)).toEqual(view)
  const lost = { text: 'the connection was lost', isError: true }
  expect(nextOf([lost], '/project')).toEqual({ tool: 'claude_status', input: { waitSeconds: 30 } })
  const none = { status: 'done', sessions: [], active: 0, hint: '' }
  expect(nextOf([lost, ...said(none)], '/project')).toMatchObject({ tool: 'claude_start' })
  const any = { status: 'awaiting_input', sessions: [view], hint: '' }
  expect(nextOf([lost, ...said(any)], '/project')).toMatchObject({
    tool: 'claude_respond',
    input: { sessionId: 's', id: 'q', answers: ['allow'] },
  })
  expect(
    nextOf(
      Array.from({ length: PATIENCE }, () => lost),
      '/project',
    ),
  ).toHaveProperty('say')
})
