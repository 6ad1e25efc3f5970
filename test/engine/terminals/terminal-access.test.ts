import { expect, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { type PaperTerminals, paperTerminals } from '../../rig/terminals/paper-terminals.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const client = (fields: Partial<Caller> = {}): Caller => ({
  id: asCallerId('client ann'),
  kind: 'client',
  name: 'ann',
  scopes: [],
  person: false,
  ...fields,
})
const model: Caller = { ...CALLERS.operator, person: false }

/** What each caller may: list the terminal, see its question, answer it. */
const TABLE: readonly [string, Caller, { lists: boolean; sees: boolean; answers: boolean }][] = [
  ['the operator', CALLERS.operator, { lists: true, sees: true, answers: true }],
  ['a device that answers', CALLERS['device that answers'], { lists: true, sees: true, answers: true }],
  ['a device that operates', CALLERS['device that operates'], { lists: true, sees: true, answers: true }],
  ['a device that reads', CALLERS['device that reads'], { lists: true, sees: true, answers: false }],
  ['a model with the operator’s token', model, { lists: true, sees: false, answers: false }],
  ['a client', client(), { lists: false, sees: false, answers: false }],
  ['a client with a person', client({ person: true }), { lists: false, sees: false, answers: false }],
  [
    'a client with the scope transcripts',
    client({ scopes: ['transcripts'] }),
    { lists: true, sees: false, answers: false },
  ],
  [
    'a client with the scope transcripts and a person',
    client({ scopes: ['transcripts'], person: true }),
    { lists: true, sees: false, answers: false },
  ],
  ['a nested session', CALLERS.parent, { lists: false, sees: false, answers: false }],
  ['a session', CALLERS.itself, { lists: false, sees: false, answers: false }],
]
const SECRET = 'a-secret-folder'

async function askingTerminal(): Promise<{ place: PaperTerminals; sessionId: string }> {
  const place = await paperTerminals()
  const terminal = await place.terminal({ name: 'project-1f' })
  await terminal.asksWaiting({ tool_input: { command: `mkdir ${SECRET}` } })
  await place.theQuestion()
  await place.session(terminal.sessionId, ({ status }) => status === 'waiting')
  return { place, sessionId: terminal.sessionId }
}

test.each(TABLE)('S73: who may see and answer what a terminal asks: %s', async (_, caller, may) => {
  const { place, sessionId } = await askingTerminal()
  const { engine } = place.app
  const call = { caller }
  const asked = await place.theQuestion()

  const listed = await engine.listSessions(call, {})
  expect(listed.map(({ id }) => id)).toEqual(may.lists ? [sessionId] : [])
  const named = await engine.getSession(call, { sessionId }).catch(() => undefined)
  expect(named?.status).toBe(may.lists ? 'waiting' : undefined)
  expect(await engine.pending(call, {})).toHaveLength(may.sees ? 1 : 0)
  expect(await engine.pending(call, { sessionId }).catch(() => [])).toHaveLength(may.sees ? 1 : 0)
  for (const approvalId of [asked.id, asked.shortId ?? '']) {
    const found = await engine.getApproval(call, { approvalId }).catch(() => undefined)
    expect(found?.id).toBe(may.sees ? asked.id : undefined)
  }
  expect(await engine.waitFor(call, { seconds: 0 })).toHaveLength(may.sees ? 1 : 0)
  const reads = [
    listed,
    await engine.readEvents(call, { sessionId }).catch(() => []),
    await engine.readTurn(call, { sessionId }).catch(() => []),
    await firstOf(engine.followEvents(call, { sessionId, after: 0 })),
    await firstOf(engine.followAll(call, { after: 0 })),
    await engine.listConversations(call, {}),
    await engine.decisions(call, {}),
  ]
  expect(JSON.stringify(reads).includes(SECRET)).toBe(may.sees)

  const refusal = may.sees ? 'forbidden' : 'not_found'
  const outcome = await engine.answer(call, { approvalId: asked.id, approve: true }).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
  expect(outcome).toBe(may.answers ? 'allowed' : refusal)
  const decided = JSON.stringify([
    await engine.decisions(call, {}),
    await engine.readEvents(call, { sessionId }).catch(() => []),
  ])
  expect(decided.includes(SECRET)).toBe(may.sees)
})

test('S73: a wait of a model is not ended by what a terminal asks, also if it names the terminal', async () => {
  const { place, sessionId } = await askingTerminal()
  const over = new AbortController()
  const call = { caller: model, signal: over.signal }
  const waits = [
    place.app.engine.waitFor(call, { seconds: 50 }),
    place.app.engine.waitFor(call, { sessionIds: [sessionId], seconds: 50 }),
  ].map((wait) =>
    wait.then(
      () => 'ended',
      () => 'ended',
    ),
  )
  const terminal = await place.terminal()
  await terminal.asksWaiting()
  await eventually(async () => expect(await place.pending()).toHaveLength(2))
  expect(await Promise.race([...waits, Promise.resolve('waits')])).toBe('waits')
  over.abort()
  await Promise.all(waits)
})

async function firstOf<T>(pages: AsyncIterable<T>): Promise<T | undefined> {
  try {
    for await (const page of pages) return page
  } catch {
    // It may not read this.
  }
  return undefined
}
