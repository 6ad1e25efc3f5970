import { describe, expect, test } from 'vitest'
import type { Remember } from '../../../src/approvals/grants/remember.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { aSession, anApproval, aStep } from '../../contracts/rows.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'

const { operator, owner, stranger, itself, parent, grandparent, sibling } = CALLERS
const YES = { approvalId: QUESTION, approve: true }

/** What becomes of a question that this caller answers. */
async function answered(caller: Caller, answer: object = YES, child: Partial<Session> = {}) {
  const { app, store } = await aFamily(child)
  const result = await app.engine.answer({ caller }, { ...YES, ...answer }).catch((error: unknown) => error)
  return { result, status: (await store.approvals.get(QUESTION))?.status }
}

describe('a question of a session', () => {
  test.each<[string, Caller, unknown]>([
    ['the session right above', parent, 0],
    ['one higher above', grandparent, 1],
    ['its owner', owner, 'owner'],
    ['a person', operator, 'person'],
  ])('is answered by %s, and the record says from which level', async (_, caller, level) => {
    const { result, status } = await answered({ ...caller, via: 'tool' })
    expect(result).toMatchObject({ id: QUESTION, status: 'allowed', by: caller.name, level, via: 'tool' })
    expect(status).toBe('allowed')
  })

  test.each<[string, Caller, string]>([
    ['itself', itself, 'forbidden'],
    ['a session beside it', sibling, 'not_found'],
    ['a stranger', stranger, 'not_found'],
  ])('is not answered by %s', async (_, caller, code) => {
    for (const named of [{}, { sessionId: CHILD }]) {
      const { result, status } = await answered(caller, named)
      expect(result).toMatchObject({ code })
      expect(status).toBe('pending')
    }
  })

  test('does not exist for who may not see its session, by the same words as one that is not there', async () => {
    const { result } = await answered(stranger)
    expect(result).toMatchObject({ message: expect.stringContaining(QUESTION) as string })
    expect(JSON.stringify(result)).not.toContain(CHILD)
  })

  test('is not answered under the name of a session of the caller that does not ask it', async () => {
    const { app, store } = await aFamily()
    const mine = aSession({ id: 'mine', owner: stranger.id })
    await store.sessions.create(mine)
    await store.journal.append(
      aStep(1, { sessionId: 'mine', opened: [anApproval({ id: 'my question', sessionId: 'mine' })] }),
    )
    const answer = (approvalId: string) =>
      app.engine.answer({ caller: stranger }, { approvalId, sessionId: 'mine', approve: false })
    await expect(answer(QUESTION)).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'pending' })
    expect(await answer('my question')).toMatchObject({ status: 'denied' })
  })

  test('is answered once', async () => {
    const { app } = await aFamily()
    await app.engine.answer({ caller: owner }, YES)
    await expect(app.engine.answer({ caller: operator }, { ...YES, approve: false })).rejects.toMatchObject({
      code: 'already_settled',
      data: { approval: { by: owner.name } },
    })
  })

  test('that is settled is called so, also to an answerer who could not have answered so', async () => {
    const { app } = await aFamily({ answerers: 'person' })
    await app.engine.answer({ caller: operator }, YES)
    for (const caller of [owner, parent])
      await expect(app.engine.answer({ caller }, YES)).rejects.toMatchObject({ code: 'already_settled' })
  })

  test.each<[string, Caller, boolean]>([
    ['its owner', { ...owner, person: true }, false],
    ['the session above', parent, false],
    ['a model of the operator', { ...operator, person: false }, false],
    ['a device that reads', CALLERS['device that reads'], true],
    ['a device that answers', CALLERS['device that answers'], true],
    ['a person', operator, true],
  ])('that is asked in a terminal is there for %s: %s', async (_, caller, isThere) => {
    const { app, store } = await aFamily()
    const asked = anApproval({ id: 'in a terminal', sessionId: CHILD, carrier: 'terminal' })
    await store.journal.append(aStep(0, { sessionId: CHILD, opened: [asked] }))
    for (const named of [{ sessionId: CHILD }, {}]) {
      const found = app.engine
        .getApproval({ caller }, { approvalId: 'in a terminal', ...named })
        .catch((error: unknown) => error)
      expect(await found).toMatchObject(isThere ? { id: 'in a terminal' } : { code: 'not_found' })
    }
  })

  test('is for a person where the session wants one', async () => {
    const child = { answerers: 'person' } as const
    for (const caller of [owner, parent])
      expect(await answered(caller, {}, child)).toMatchObject({
        result: { code: 'forbidden' },
        status: 'pending',
      })
    expect(await answered({ ...owner, person: true }, {}, child)).toMatchObject({ status: 'allowed' })
    expect(await answered(operator, {}, child)).toMatchObject({ status: 'allowed' })
  })

  test('is not answered with a mode that the answerer may not give', async () => {
    const auto = { permissionMode: 'auto' }
    expect(await answered(owner, auto)).toMatchObject({ result: { code: 'forbidden' }, status: 'pending' })
    expect(await answered(operator, auto)).toMatchObject({ status: 'allowed' })
    const edits = { permissionMode: 'acceptEdits' }
    expect(await answered(parent, edits)).toMatchObject({ result: { code: 'forbidden' }, status: 'pending' })
    expect(await answered(owner, edits)).toMatchObject({ status: 'allowed' })
  })

  test('is not allowed by a session that may not do it itself; whoever is above may', async () => {
    const { app, store } = await aFamily()
    const row = await store.sessions.get(parent.name)
    if (!row) throw new Error('no parent')
    const config = StartOptions.parse({ disallowedTools: ['Bash'] })
    await store.journal.append(aStep(0, { sessionId: row.id, session: { ...row, config } }))
    await expect(app.engine.answer({ caller: parent }, YES)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await app.engine.answer({ caller: grandparent }, YES)).toMatchObject({ status: 'allowed' })
  })
})

describe('a question that is handed up', () => {
  test('goes to the level above the caller, which is on record with its note', async () => {
    const { app, store } = await aFamily()
    const up = (caller: Caller, note?: string) =>
      app.engine.escalate({ caller }, { approvalId: QUESTION, ...(note ? { note } : {}) })
    expect(await up(parent, 'why')).toMatchObject({ status: 'pending' })
    await up(grandparent)
    expect((await store.approvals.get(QUESTION))?.escalations).toMatchObject([
      { by: parent.name, to: grandparent.name, note: 'why' },
      { by: grandparent.name, to: 'owner' },
    ])
    for (const top of [owner, operator])
      await expect(up(top)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('is one that the caller may answer, and that is open', async () => {
    const { app } = await aFamily()
    const up = (caller: Caller) => app.engine.escalate({ caller }, { approvalId: QUESTION })
    await expect(up(itself)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(up(stranger)).rejects.toMatchObject({ code: 'not_found' })
    await app.engine.answer({ caller: owner }, YES)
    for (const caller of [parent, owner])
      await expect(up(caller)).rejects.toMatchObject({ code: 'already_settled' })
  })

  test('goes past all sessions where a person is wanted', async () => {
    const { app, store } = await aFamily({ answerers: 'person' })
    await app.engine.escalate({ caller: parent }, { approvalId: QUESTION })
    expect((await store.approvals.get(QUESTION))?.escalations).toMatchObject([{ to: 'owner' }])
  })
})

describe('what an answer remembers', () => {
  const SEARCH = { toolName: 'WebSearch', input: { query: 'a' } }
  const models = [owner, parent, { ...operator, person: false }]

  /** What becomes of a question about a call that can be remembered anywhere. */
  async function remembered(caller: Caller, remember: Remember) {
    const { app, store } = await aFamily()
    const asked = anApproval({ id: 'a search', sessionId: CHILD, ...SEARCH })
    await store.journal.append(aStep(0, { sessionId: CHILD, opened: [asked] }))
    const given = app.engine.answer({ caller }, { approvalId: 'a search', approve: true, remember })
    const scope = await given.then(
      (answer) => answer.remembered?.scope,
      ({ code }: { code: string }) => code,
    )
    return [scope, (await store.approvals.get('a search'))?.status]
  }

  test('for more than its session, only a person chooses, with the rights of the operator or on a device', async () => {
    for (const remember of ['tree', 'folder', 'always'] as const)
      for (const caller of models)
        expect(await remembered(caller, remember)).toEqual(['forbidden', 'pending'])
    for (const remember of ['tree', 'always'] as const)
      for (const caller of [operator, CALLERS['device that answers']])
        expect(await remembered(caller, remember)).toEqual([remember, 'allowed'])
  })

  test('for its session, whoever may answer chooses, but a session only what it may do itself', async () => {
    for (const caller of [owner, { ...operator, person: false }])
      expect(await remembered(caller, 'session')).toEqual(['session', 'allowed'])
    expect(await remembered(parent, 'session')).toEqual(['forbidden', 'pending'])
  })
})

async function aboutBudget() {
  const { app, store } = await aFamily()
  const approval = anApproval({ id: 'of a budget', sessionId: CHILD, kind: 'budget', toolName: 'Budget' })
  await store.journal.append(aStep(0, { sessionId: CHILD, opened: [approval] }))
  const answer = (caller: Caller) =>
    app.engine.answer({ caller }, { approvalId: 'of a budget', answers: ['stop'] })
  const escalate = (caller: Caller) => app.engine.escalate({ caller }, { approvalId: 'of a budget' })
  return { answer, escalate, status: async () => (await store.approvals.get('of a budget'))?.status }
}

describe('a question about a budget', () => {
  test('is answered by no session, also not below itself; by its owner and a person it is', async () => {
    const { answer, status } = await aboutBudget()
    for (const caller of [parent, grandparent])
      await expect(answer(caller)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('may not answer about a budget') as string,
      })
    expect(await status()).toBe('pending')
    for (const caller of [owner, operator])
      expect(await (await aboutBudget()).answer(caller)).toMatchObject({ id: 'of a budget', by: caller.name })
  })

  test('is handed up by nobody', async () => {
    const { escalate, status } = await aboutBudget()
    for (const caller of [parent, grandparent, owner])
      await expect(escalate(caller)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('about a budget') as string,
      })
    expect(await status()).toBe('pending')
  })
})
