import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import {
  accessOf,
  ancestorIds,
  ancestorSessions,
  callingSession,
  requireMode,
  requireNoBypass,
  requireSession,
} from '../../../src/engine/access/session-access.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession, idsOf } from '../../contracts/rows.ts'
import { asCallerId, asSessionId } from '../../rig/tools/ids.ts'

const caller = (kind: Caller['kind'], name: string, scopes: string[] = []): Caller => ({
  id: asCallerId(`${kind} ${name}`),
  kind,
  name,
  scopes,
  person: false,
})
const ann = caller('client', 'ann')
const operator = caller('operator', 'operator')

let store: Store
beforeEach(async () => {
  store = await openMemoryStore()
  const owner = ann.id
  await store.sessions.create(aSession({ id: 'top', owner, name: 'work' }))
  await store.sessions.create(aSession({ id: 'middle', owner, parentId: 'top' }))
  await store.sessions.create(aSession({ id: 'low', owner, parentId: 'middle' }))
})

test('a session is found by its id or its name, by who may', async () => {
  for (const idOrName of ['top', 'work'])
    expect(await requireSession(store, ann, 'say', idOrName)).toMatchObject({ id: 'top' })
  expect(await requireSession(store, caller('session', 'top'), 'stop', 'low')).toMatchObject({ id: 'low' })
})

test.each<[string, Caller, string]>([
  ['that is not there', operator, 'nobody'],
  ['of another client', caller('client', 'ben'), 'top'],
  ['beside or above the caller', caller('session', 'low'), 'middle'],
])('a session %s does not exist for the caller', async (_, who, id) => {
  await expect(requireSession(store, who, 'read', id)).rejects.toMatchObject({ code: 'not_found' })
})

test('what a session may not do with itself is forbidden, for it knows that it exists', async () => {
  const itself = caller('session', 'low')
  await expect(requireSession(store, itself, 'answer', 'low')).rejects.toMatchObject({ code: 'forbidden' })
  expect(await requireSession(store, itself, 'ask', 'low')).toMatchObject({ id: 'low' })
})

test('a name that looks like an id finds nothing, so that nobody can pass for another session', async () => {
  const id = randomUUID()
  await store.sessions.create(aSession({ id: 'odd', owner: ann.id, name: id }))
  await expect(requireSession(store, ann, 'read', id)).rejects.toMatchObject({ code: 'not_found' })
})

test('the sessions above are those that are there, nearest first, also in a circle', async () => {
  expect(await ancestorIds(store, asSessionId('middle'))).toEqual(['middle', 'top'])
  expect(await ancestorIds(store, undefined)).toEqual([])
  await store.sessions.create(aSession({ id: 'orphan', parentId: 'gone' }))
  expect(await ancestorIds(store, asSessionId('orphan'))).toEqual(['orphan', 'gone'])
  expect(idsOf(await ancestorSessions(store, asSessionId('orphan')))).toEqual(['orphan'])
  await store.sessions.create(aSession({ id: 'x', parentId: 'y' }))
  await store.sessions.create(aSession({ id: 'y', parentId: 'x' }))
  expect(await ancestorIds(store, asSessionId('x'))).toEqual(['x', 'y'])
  expect(await accessOf(store, aSession({ id: 'low', owner: 'o', parentId: 'middle' }))).toEqual({
    id: 'low',
    owner: 'o',
    ancestors: ['middle', 'top'],
  })
})

test('what nobody is asked about needs the scope bypass, which a session never has', () => {
  const risky = { env: { A: 'b' }, permissionMode: 'auto' }
  const start = (who: Caller) => () => requireNoBypass(who, risky)
  expect(start({ ...operator, scopes: ['bypass'] })).not.toThrow()
  expect(start({ ...ann, scopes: ['bypass'] })).not.toThrow()
  expect(() => requireNoBypass(ann, { permissionMode: 'plan' })).not.toThrow()
  expect(start(operator)).toThrow(/^permissionMode auto and env would .* --allow-bypass\.$/)
  expect(start(ann)).toThrow(/scope bypass in config\.json/)
  expect(start(caller('session', 'top', ['bypass']))).toThrow(/leave it out\.$/)
})

test('a session gives a mode that is within its own; others any that needs no bypass', async () => {
  await store.sessions.create(
    aSession({ id: 'planner', config: StartOptions.parse({ permissionMode: 'plan' }) }),
  )
  const planner = caller('session', 'planner')
  await expect(requireMode(store, planner, 'plan')).resolves.toBeUndefined()
  await expect(requireMode(store, planner, 'acceptEdits')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(requireMode(store, ann, 'acceptEdits')).resolves.toBeUndefined()
  await expect(requireMode(store, ann, 'auto')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(requireMode(store, caller('session', 'gone'), 'plan')).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('the session of a token is the one it is named after', async () => {
  expect(await callingSession(store, caller('session', 'low'))).toMatchObject({ id: 'low' })
  await expect(callingSession(store, caller('session', 'gone'))).rejects.toMatchObject({ code: 'forbidden' })
})

test('a session is found by the beginning of its id, if that is at least four characters and only one visible session has it', async () => {
  const rest = '000-4000-8000-000000000000'
  const [one, two, other] = [`0a1b2c3d-1${rest}`, `0a1b2c3d-2${rest}`, `0a1bffff-3${rest}`]
  await store.sessions.create(aSession({ id: one, owner: ann.id, name: 'first' }))
  await store.sessions.create(aSession({ id: two, owner: ann.id }))
  await store.sessions.create(aSession({ id: other, owner: 'client ben' }))
  const found = (who: Caller, text: string) => requireSession(store, who, 'read', text)
  expect(await found(ann, '0a1b2c3d-1')).toMatchObject({ id: one })
  const ben = caller('client', 'ben')
  expect(await found(ben, '0a1b'), 'those of others do not count').toMatchObject({ id: other })
  await expect(found(ann, '0a1b')).rejects.toMatchObject({
    code: 'invalid_input',
    message: `2 sessions begin with 0a1b; use more of the id, or a name: first, ${two}.`,
  })
  for (const text of ['0a1', '0a1bffff-3', 'x0a1b2c3d-1', '0a1b2c3d-1x', '0a1B', '0a1b2c3d-9'])
    await expect(found(ann, text)).rejects.toMatchObject({ code: 'not_found' })
  await expect(found(ben, '0a1b2c3d-1')).rejects.toMatchObject({ code: 'not_found' })
})

test('the access to a session of a terminal says so, and that of another does not', async () => {
  const terminal = aSession({ id: 'terminal', terminal: true })
  expect(await accessOf(store, terminal)).toMatchObject({ terminal: true })
  expect(await accessOf(store, aSession({ id: 'plain' }))).not.toHaveProperty('terminal')
})
