import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { aSession } from '../../contracts/rows.ts'
import { aFamily, CALLERS, CHILD } from '../../rig/clients/family.ts'

const me = { caller: CALLERS.operator }
const PARENT = '00000000-0000-4000-8000-000000000002'

test('a session is renamed, and found by its new name', async () => {
  const { app } = await aFamily()
  expect(await app.engine.renameSession(me, { sessionId: CHILD, name: 'web' })).toMatchObject({
    id: CHILD,
    name: 'web',
  })
  expect(await app.engine.renameSession(me, { sessionId: 'web', name: 'api' })).toMatchObject({ name: 'api' })
  expect(await app.engine.getSession(me, { sessionId: 'api' })).toMatchObject({ id: CHILD })
  await expect(app.engine.getSession(me, { sessionId: 'web' })).rejects.toMatchObject({ code: 'not_found' })
})

test('the name of a session that has ended can be used again, that of another cannot', async () => {
  const { app, store } = await aFamily()
  await store.sessions.create(aSession({ id: 'ended', name: 'old', status: 'done' }))
  await store.sessions.create(aSession({ id: 'foreign', name: 'theirs', status: 'done', owner: 'stranger' }))
  await store.sessions.rename(PARENT, 'busy')
  expect(await app.engine.renameSession(me, { sessionId: CHILD, name: 'old' })).toMatchObject({ name: 'old' })
  expect(await store.sessions.get('ended')).not.toHaveProperty('name')
  await expect(app.engine.renameSession(me, { sessionId: CHILD, name: 'busy' })).rejects.toMatchObject({
    code: 'in_use',
  })
  const owner = { caller: CALLERS.owner }
  await expect(app.engine.renameSession(owner, { sessionId: CHILD, name: 'theirs' })).rejects.toMatchObject({
    code: 'in_use',
  })
  expect(await store.sessions.get('foreign')).toMatchObject({ name: 'theirs' })
})

test('a new session, or a fork, may have the name of one that has ended, and not that of another', async () => {
  const { app, store, project } = await aFamily()
  for (const [id, name, status, owner] of [
    ['ended', 'old', 'done', 'operator'],
    ['failed', 'older', 'failed', 'operator'],
    ['new', 'unused', 'idle', 'operator'],
    ['foreign', 'theirs', 'done', 'stranger'],
  ] as const)
    await store.sessions.create(aSession({ id, name, status, owner, workingDirectory: project }))
  const create = (caller: Caller, name: string) =>
    app.engine.createSession({ caller }, { options: StartOptions.parse({ name, workingDirectory: project }) })
  const { id } = await create(CALLERS.operator, 'old')
  expect(await app.engine.getSession(me, { sessionId: 'old' })).toMatchObject({ id })
  expect(await store.sessions.get('ended')).not.toHaveProperty('name')
  expect(await app.engine.fork(me, { sessionId: CHILD, name: 'older' })).toMatchObject({ name: 'older' })
  expect(await store.sessions.get('failed')).not.toHaveProperty('name')
  for (const [caller, name] of [
    [CALLERS.operator, 'unused'],
    [CALLERS.owner, 'theirs'],
  ] as const)
    await expect(create(caller, name)).rejects.toMatchObject({ code: 'in_use' })
  expect(await store.sessions.get('foreign')).toMatchObject({ name: 'theirs' })
})

test('a session that is at work, or has sessions below it, is not deleted', async () => {
  const { app, store } = await aFamily()
  await expect(app.engine.deleteSession(me, { sessionId: CHILD })).rejects.toMatchObject({
    code: 'in_use',
    message: 'The session is at work; stop it first, or delete it with stop.',
  })
  await expect(app.engine.deleteSession(me, { sessionId: PARENT, stop: true })).rejects.toMatchObject({
    code: 'in_use',
    message: 'There are sessions below this session; delete those first.',
  })
  expect(await store.sessions.get(CHILD)).toBeDefined()
})

test('with stop it is deleted with everything of it, and no wait or call finds it again', async () => {
  const { app, store } = await aFamily()
  expect(await app.engine.deleteSession(me, { sessionId: CHILD, stop: true })).toEqual({ sessionId: CHILD })
  expect(await store.approvals.pending([CHILD])).toEqual([])
  for (const call of [
    () => app.engine.getSession(me, { sessionId: CHILD }),
    () => app.engine.startTurn(me, { sessionId: CHILD, content: 'hello' }),
    () => app.engine.deleteSession(me, { sessionId: CHILD }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' })
})

test('the beginning of an id is enough where only one visible session has it', async () => {
  const { app, store } = await aFamily()
  await store.sessions.create(aSession({ id: '1f3a5b7c-0000-4000-8000-00000000000a', owner: 'owner' }))
  await store.sessions.create(aSession({ id: '1f3a99cc-0000-4000-8000-00000000000b', owner: 'stranger' }))
  const find = (caller: (typeof CALLERS)[keyof typeof CALLERS], sessionId: string) =>
    app.engine.getSession({ caller }, { sessionId })
  expect(await find(CALLERS.operator, '1f3a5')).toMatchObject({ owner: 'owner' })
  await expect(find(CALLERS.operator, '1f3a')).rejects.toMatchObject({ code: 'invalid_input' })
  // A session that the caller may not see does not count, and is not named.
  expect(await find(CALLERS.owner, '1f3a')).toMatchObject({ owner: 'owner' })
  await expect(find(CALLERS.owner, '1f3a9')).rejects.toMatchObject({ code: 'not_found' })
  await expect(find(CALLERS.operator, '1f3')).rejects.toMatchObject({ code: 'not_found' })
})
