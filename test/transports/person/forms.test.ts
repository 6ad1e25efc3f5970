/** What is put to people at clients, and what their answers count for, without a process of the CLI: a session waits. */
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { Ask } from '../../../src/base/ask-setting.ts'
import { create } from '../../../src/api/claudecode/create.ts'
import { poll } from '../../../src/api/claudecode/poll.ts'
import { respond } from '../../../src/api/loopback/respond.ts'
import type { AppError } from '../../../src/base/errors.ts'
import { say } from '../../../src/api/claude/say.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { Seat } from '../../../src/transports/person/known-person.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import type { ClientKind, Filled, Person } from '../../rig/clients/mcp-clients.ts'
import { pairedClient } from '../../rig/clients/mcp-pair.ts'
import { ALLOW, answering, resolvable } from '../../rig/clients/people.ts'

interface Setting {
  readonly seat?: Partial<Seat>
  /** How long whoever is asked takes. */
  readonly tookMs?: number
  readonly session?: Partial<Session>
}

const READ_IT = 5_000
const NOT_READ = 300

async function aClient(
  kind: ClientKind,
  person: Person,
  { seat = {}, tookMs = READ_IT, session }: Setting = {},
) {
  const { app, store, project } = await aFamily(session)
  const served = { as: () => app.engine, project, parts: { errors: [] } }
  let time = 0
  const late: Person = async (form, signal) => {
    const filled = await person(form, signal)
    time += tookMs
    return filled
  }
  const connect = () => pairedClient(kind, served, { person: late, seat, now: () => time })
  const look = { sessionId: CHILD, waitSeconds: 50 }
  const approval = () => store.approvals.get(QUESTION)
  const settled = () =>
    eventually(async () => {
      const found = await approval()
      if (found?.status === 'pending') throw new Error('Nothing is settled.')
      return found
    })
  return { app, store, connect, client: await connect(), look, approval, settled }
}

const CLIENT_ALONE = 'form at test, no person known'

describe.each(['sdk 1', '2026'] as const)('with a client of %s', (kind) => {
  test("S41: an answer is a person's where one is known to sit and took the time to read", async () => {
    const { person, shown } = answering(ALLOW)
    const { client, settled } = await aClient(kind, person)
    const texts = await client.texts('claude_status', { sessionId: CHILD, waitSeconds: 0.1 })
    expect(await settled()).toMatchObject({
      status: 'allowed',
      by: 'a person at test',
      level: 'person',
      via: 'form',
    })
    expect(shown).toHaveLength(1)
    expect(texts).toHaveLength(1)
  })

  test("S41: an accept within a second is the client's own, and counts as that", async () => {
    const { client, settled } = await aClient(kind, answering(ALLOW).person, { tookMs: NOT_READ })
    await client.call('claude_status', { sessionId: CHILD, waitSeconds: 0.1 })
    expect(await settled()).toMatchObject({
      status: 'allowed',
      by: CLIENT_ALONE,
      level: 'owner',
      via: 'form',
    })
  })

  test('S41: where only a person may answer, an accept within a second is refused and the question stays', async () => {
    const session = { answerers: 'person' as const }
    const { client, approval, look } = await aClient(kind, answering(ALLOW).person, {
      tookMs: NOT_READ,
      session,
    })
    const [status, note] = await client.texts('claude_status', look)
    expect(JSON.parse(status ?? '')).toMatchObject({ status: 'awaiting_input' })
    expect(note).toContain('within a second')
    expect(note).toContain('Only a person may answer')
    expect(await approval()).toMatchObject({ status: 'pending' })
  })

  test("S41: a decline within a second is nobody's: the model has the question at once, and no form follows until it connects anew", async () => {
    const { person, shown } = answering({ action: 'decline' }, ALLOW)
    const { client, connect, approval, settled, look } = await aClient(kind, person, { tookMs: NOT_READ })
    const [status, note] = await client.texts('claude_status', look)
    expect(JSON.parse(status ?? '')).toMatchObject({
      status: 'awaiting_input',
      pendingQuestion: { id: QUESTION, toolName: 'Bash' },
    })
    expect(note).toContain('no person has read it')
    expect(await client.call('claude_status', look)).toMatchObject({ status: 'awaiting_input' })
    expect(shown).toHaveLength(1)
    expect(await approval()).toMatchObject({ status: 'pending' })
    await (await connect()).call('claude_status', { ...look, waitSeconds: 0.1 })
    expect(shown).toHaveLength(2)
    expect(await settled()).toMatchObject({ status: 'allowed' })
  })

  test.each([
    ['declines', { action: 'decline' }, 'The person declined.'],
    ['says no, and why', { action: 'accept', content: { decision: 'deny', reason: 'Later.' } }, 'Later.'],
  ] as const)('a person who %s has denied it', async (_, filled: Filled, message) => {
    const { client, settled } = await aClient(kind, answering(filled).person)
    await client.call('claude_status', { sessionId: CHILD, waitSeconds: 0.1 })
    expect(await settled()).toMatchObject({ status: 'denied', level: 'person', decision: { message } })
  })

  test('to cancel leaves the question as it is, and the person is not asked again until the client is', async () => {
    const { person, shown } = answering({ action: 'cancel' }, ALLOW)
    const { client, settled, look } = await aClient(kind, person)
    expect(await client.call('claude_status', look)).toMatchObject({ status: 'awaiting_input' })
    expect(shown).toHaveLength(1)
    await client.call('claude_status', { ...look, waitSeconds: 0.1 })
    expect(await settled()).toMatchObject({ status: 'allowed' })
    expect(shown).toHaveLength(2)
  })

  test('what does not fit decides nothing, and the caller reads that', async () => {
    const perhaps = { action: 'accept', content: { decision: 'perhaps' } } as const
    const { client, look } = await aClient(kind, answering(perhaps).person)
    const [status, note] = await client.texts('claude_status', look)
    expect(JSON.parse(status ?? '')).toMatchObject({ status: 'awaiting_input' })
    expect(note).toContain('does not fit')
  })

  test.each([
    ['a client where nobody is known to sit', { seat: { ask: undefined } }],
    ['a program in a terminal of Claude Code', { seat: { ask: undefined, isTerminal: true } }],
    ['a connection for the model', { seat: { ask: 'model' } }],
    ['a session for the model', { session: { ask: 'model' } }],
  ] as const)('S40: %s is put no form, and the model has the question at once', async (_, setting) => {
    const { person, shown } = answering(ALLOW)
    const { client, look } = await aClient(kind, person, setting)
    const status = await client.call<StatusView>('claude_status', look)
    expect(status).toMatchObject({ status: 'awaiting_input', pendingQuestion: { id: QUESTION } })
    expect(status.waitsForPerson).toBeUndefined()
    expect(status.hint).toContain('claude_respond')
    expect(shown).toEqual([])
  })

  test.each([
    ['only a person may answer', { answerers: 'person' }],
    ['a person is to be asked', { ask: 'person' }],
  ] as const)(
    'S40: where %s and none is known, the wait returns at once and says where one can',
    async (_, session) => {
      const { person, shown } = answering(ALLOW)
      const { client, look } = await aClient(kind, person, { session, seat: { ask: undefined } })
      const status = await client.call<StatusView>('claude_status', look)
      expect(status).toMatchObject({ status: 'awaiting_input', pendingQuestion: { id: QUESTION } })
      expect(status.waitsForPerson).toMatch(/^It waits for a person, .*--ask person.*POST \/rpc/)
      expect(shown).toEqual([])
    },
  )

  test('S17: where only a person may answer, the one who is asked may, and the model may not', async () => {
    const { person } = answering({ action: 'cancel' }, ALLOW)
    const { client, settled, look } = await aClient(kind, person, { session: { answerers: 'person' } })
    await client.call('claude_status', look)
    const answer = { sessionId: CHILD, id: QUESTION, answers: ['allow'] }
    await expect(client.call('claude_respond', answer)).rejects.toMatchObject({ code: 'forbidden' })
    await client.call('claude_status', { ...look, waitSeconds: 0.1 })
    expect(await settled()).toMatchObject({ status: 'allowed', level: 'person' })
  })

  test('S42: an answer of the model is on record as one by a tool, and whoever is second reads that', async () => {
    const { client, approval } = await aClient(kind, answering().person)
    const answer = { sessionId: CHILD, id: QUESTION, answers: ['deny'] }
    expect(await client.call('claude_respond', answer)).toMatchObject({ by: 'operator', via: 'tool' })
    expect(await approval()).toMatchObject({ status: 'denied', via: 'tool', level: 'owner' })
    await expect(client.call('claude_respond', answer)).rejects.toMatchObject({
      code: 'already_settled',
      approval: { status: 'denied', by: 'operator', via: 'tool' },
    })
  })

  test('a form that is answered after its question was settled is answered with that, and changes nothing', async () => {
    const asked = resolvable<void>()
    const answer = resolvable<Filled>()
    const { app, client, approval, look } = await aClient(
      kind,
      (_, signal) => {
        signal.addEventListener('abort', () => answer.resolve({ action: 'cancel' }))
        asked.resolve()
        return answer.promise
      },
      { session: { answerers: 'person' } },
    )
    const texts = client.texts('claude_status', { ...look, waitSeconds: 2 })
    await asked.promise
    await app.engine.answer({ caller: CALLERS.operator }, { approvalId: QUESTION, answers: ['deny'] })
    if (kind === '2026') answer.resolve(ALLOW)
    const [, note] = await texts
    expect(note).toContain('denied by operator')
    expect(await approval()).toMatchObject({ status: 'denied', by: 'operator' })
    await answer.promise // the form was taken back, where it could be
  })

  test('R20: a client that goes away while a form is open loses nothing: the next one has the question', async () => {
    const asked = resolvable<void>()
    const { client, connect, approval, look } = await aClient(kind, () => {
      asked.resolve()
      return new Promise(() => {})
    })
    void client.call('claude_status', look).catch(() => {}) // nobody is there to be answered
    await asked.promise
    await client.close()
    expect(await approval()).toMatchObject({ status: 'pending' })
    const next = await connect()
    const answer = { sessionId: CHILD, id: QUESTION, answers: ['allow'] }
    expect(await next.call('claude_respond', answer)).toMatchObject({ decision: 'allowed' })
  })

  test('a session is never asked by a form', async () => {
    const { person, shown } = answering(ALLOW)
    const { app, project } = await aFamily()
    const served = { as: () => app.engine, project, parts: { errors: [] } }
    const client = await pairedClient(kind, served, { person, caller: CALLERS.parent })
    const asked = await client.call('claude_status', { sessionId: CHILD, waitSeconds: 50 })
    expect(asked).toMatchObject({ status: 'awaiting_input' })
    expect(shown).toEqual([])
  })

  test('a client is asked about its own sessions only', async () => {
    const { person, shown } = answering(ALLOW)
    const { app, project } = await aFamily()
    const served = { as: () => app.engine, project, parts: { errors: [] } }
    const client = await pairedClient(kind, served, { person, caller: CALLERS.stranger })
    await expect(client.call('claude_status', { sessionId: CHILD })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await client.call('claude_status', { waitSeconds: 1 })).toMatchObject({ status: 'done' })
    expect(shown).toEqual([])
  })
})

describe('with a client of the older protocol', () => {
  test('S40: a form that nobody answers holds the model no longer than it waits; a late answer counts', async () => {
    const answer = resolvable<Filled>()
    const { client, settled, look } = await aClient('sdk 1', () => answer.promise)
    expect(await client.call('claude_status', { ...look, waitSeconds: 0.2 })).toMatchObject({
      status: 'awaiting_input',
      pendingQuestion: { id: QUESTION },
    })
    answer.resolve(ALLOW)
    await eventually(async () =>
      expect(await settled()).toMatchObject({ status: 'allowed', level: 'person' }),
    )
  })

  test('a person is asked about what was open already when their client first looked, and did not wait', async () => {
    const { person, shown } = answering(ALLOW)
    const { client, settled } = await aClient('sdk 1', person)
    const look = await client.call('claude_status', { sessionId: CHILD, waitSeconds: 0 })
    expect(look).toMatchObject({ status: 'awaiting_input' })
    await eventually(async () =>
      expect(await settled()).toMatchObject({ status: 'allowed', by: 'a person at test' }),
    )
    expect(shown).toHaveLength(1)
  })
})

test('what is wrong with ask is one sentence, in both families, and nothing is begun', async () => {
  const { app, store, client } = await aClient('2026', answering().person)
  const before = await store.sessions.list({ limit: 10 })
  const context = { engine: app.engine, call: { caller: CALLERS.operator } }
  for (const [ask, sentence] of [
    ['nobody', 'ask must be model, person or both.'],
    ['model', 'ask cannot be model where answerers is person'],
    ['both', 'ask cannot be both where answerers is person'],
  ] as const) {
    const wrong = { code: 'invalid_input', message: expect.stringContaining(sentence) as string }
    const wanted = { ask, answerers: 'person' }
    await expect(client.call('claude_start', { prompt: 'go', ...wanted })).rejects.toMatchObject(wrong)
    await expect(async () =>
      create.call(context, { loopback_enabled: true, ...wanted }),
    ).rejects.toMatchObject(wrong)
  }
  expect(await store.sessions.list({ limit: 10 })).toEqual(before)
})

test('S42: the other family says too by which way it was answered, also to whoever is second', async () => {
  const { app } = await aFamily()
  const caller = { ...CALLERS.operator, via: 'rpc' as const }
  const answer = () =>
    respond.call({ engine: app.engine, call: { caller } }, { approval_id: QUESTION, approve: false })
  expect(await answer()).toMatchObject({ decision: 'denied', by: 'operator', via: 'rpc' })
  const second = await answer().catch((error: AppError) => respond.failed?.(error))
  expect(second).toMatchObject({ type: 'error', code: 'already_settled', by: 'operator', via: 'rpc' })
})

test('S40: the other family says too that a session waits for a person', async () => {
  const { app } = await aClient('2026', answering().person)
  const look = (ask: Ask | undefined) =>
    poll.call({ engine: app.engine, call: { caller: CALLERS.operator }, ask }, { session_id: CHILD })
  expect(await look('person')).toMatchObject({
    waits_for_person: expect.stringContaining('It waits for a person') as string,
  })
  expect(await look(undefined)).not.toHaveProperty('waits_for_person')
})

test('what is said to a session reports that one, whoever below it has been answered meanwhile', async () => {
  const { app } = await aFamily()
  const sessionId = CALLERS.parent.name
  const context = { engine: app.engine, call: { caller: CALLERS.operator } }
  const told = await say.again(context, { sessionId, message: 'go on' }, CHILD)
  expect(told).toMatchObject({ sessionId })
})
