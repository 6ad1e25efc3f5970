import { expect, test } from 'vitest'
import { CallMemory, CallerMemory, MemoryByCaller } from '../../../src/api/operation/caller-memory.ts'
import { status } from '../../../src/api/claude/status.ts'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { Context } from '../../../src/api/operation/operation.ts'
import { wait } from '../../../src/api/loopback/wait.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Session, SessionStatus } from '../../../src/sessions/record/session.ts'
import { aSession, aStep } from '../../contracts/rows.ts'
import { type EngineRig, ME, startEngine } from '../../rig/hubs/engines.ts'
import { asCallerId, asSessionId } from '../../rig/tools/ids.ts'

/** A session becomes this, as if its process had done something. */
async function become(rig: EngineRig, sessionId: string, how: SessionStatus): Promise<void> {
  const { store, app } = rig.parts
  const session = { ...(await app.engine.getSession(ME, { sessionId })), status: how }
  await store.journal.append({ ...aStep(1), sessionId: asSessionId(sessionId), session })
  app.supervisor.doorbells.ring(sessionId)
}

async function sessionsAtWork(rig: EngineRig, ...names: string[]): Promise<string[]> {
  const sessions: Session[] = []
  for (const name of names) sessions.push(await rig.create({ name }))
  for (const { id } of sessions) await become(rig, id, 'running')
  return sessions.map(({ id }) => id)
}

/** Calls as one connection does, whose results are given or not. */
function connection(rig: EngineRig, known = new CallerMemory(), more: Partial<Context> = {}) {
  const looked = async (input: object = {}, given = true) => {
    const memory = new CallMemory(known.known)
    const context: Context = { engine: rig.engine, call: ME, ...more, memory }
    const told = (await status.call(context, { waitSeconds: 0, ...input })) as { sessions?: StatusView[] }
    known.note(memory.changes)
    if (given) known.noteResult(memory.changes)
    return told.sessions?.map(({ sessionId }) => sessionId)
  }
  const waited = async (input: object = {}) => {
    const memory = new CallMemory(known.known)
    const context: Context = { engine: rig.engine, call: ME, ...more, memory }
    const told = await wait.call(context, { wait_seconds: 0, ...input })
    known.note(memory.changes)
    known.noteResult(memory.changes)
    return (told as { sessions: { session_id: string }[] }).sessions.map((one) => one.session_id)
  }
  return { looked, waited }
}

test.each(['looked', 'waited'] as const)(
  'an end between two calls is returned by the next call, once, to each caller that waits for any session (%s)',
  async (family) => {
    const rig = await startEngine('behind a socket')
    const [a = '', b = ''] = await sessionsAtWork(rig, 'a', 'b')
    const [one, other] = [connection(rig), connection(rig)]
    for (const { [family]: look } of [one, other]) expect(await look()).toEqual([])
    await become(rig, b, 'done')
    for (const { [family]: look } of [one, other]) {
      expect(await look()).toEqual([b])
      expect(await look()).toEqual([])
    }
    await become(rig, a, 'failed')
    expect(await one[family]()).toEqual([a])
  },
)

test('an end between the list of busy sessions and the first check is returned at once', async () => {
  const rig = await startEngine('here on memory')
  const [a = ''] = await sessionsAtWork(rig, 'a', 'b')
  const engine: Context['engine'] = {
    ...rig.engine,
    listSessions: async (call, input) => {
      const found = await rig.engine.listSessions(call, input)
      await become(rig, a, 'done')
      return found
    },
  }
  const { looked } = connection(rig, undefined, { engine })
  expect(await looked({ waitSeconds: 50 })).toEqual([a])
})

test('an end while no hub ran is returned to a caller that waited over the restart', async () => {
  const rig = await startEngine('behind a socket')
  const [a = ''] = await sessionsAtWork(rig, 'a')
  const { hub } = rig.parts
  const told = rig.engine.waitFor(ME, { atWork: [a], seconds: 50 })
  await expect.poll(() => hub?.underWay).toBe(1)
  await hub?.crash()
  await become(rig, a, 'done')
  await hub?.open()
  expect(await told).toMatchObject([{ id: a, status: 'done' }])
})

test('a caller without a connection gets from the next hub what ended while no hub ran', async () => {
  const rig = await startEngine('here on memory')
  const [a = ''] = await sessionsAtWork(rig, 'a')
  const callers = new MemoryByCaller([a])
  await become(rig, a, 'done')
  expect(await connection(rig, callers.of('me')).looked()).toEqual([a])
  expect(await connection(rig, callers.of('me')).looked()).toEqual([])
  expect(await connection(rig, callers.of('you')).looked()).toEqual([a])
})

test('an end that was shown by its name counts as known, an end whose result nobody got does not', async () => {
  const rig = await startEngine('here on memory')
  const [a = '', b = ''] = await sessionsAtWork(rig, 'a', 'b')
  const { looked } = connection(rig)
  await looked()
  for (const id of [a, b]) await become(rig, id, 'done')
  await looked({ sessionId: a })
  expect(await looked({}, false)).toEqual([b])
  expect(await looked()).toEqual([b])
  expect(await looked()).toEqual([])
})

test('a session that the caller may not read is not returned, whatever they say was at work', async () => {
  const rig = await startEngine('behind a socket')
  const [a = ''] = await sessionsAtWork(rig, 'a')
  await become(rig, a, 'done')
  const stranger = {
    id: asCallerId('client x'),
    kind: 'client',
    name: 'x',
    scopes: [],
    person: false,
  } as const
  const engine = rig.as(stranger)
  expect(await engine.waitFor({ caller: stranger }, { atWork: [a, 'none'], seconds: 0 })).toEqual([])
  expect(await rig.engine.waitFor(ME, { atWork: [a, 'none'], seconds: 0 })).toMatchObject([{ id: a }])
})

test('the end of a session below another at work is returned to that session only', async () => {
  const rig = await startEngine('here on memory')
  const config = StartOptions.parse({ nested: true })
  const { store } = rig.parts
  await store.sessions.create(aSession({ id: 'top', config, status: 'running' }))
  await store.sessions.create(aSession({ id: 'low', parentId: 'top', status: 'running' }))
  const model = { ...ME.caller, person: false }
  const { looked } = connection(rig, undefined, { call: { caller: model } })
  await looked()
  await become(rig, 'low', 'done')
  expect(await looked()).toEqual([])
  await become(rig, 'top', 'done')
  expect(await looked()).toEqual(['top'])
})

test('a memory is not without limit, and keeps what was noted last', () => {
  const memory = new CallerMemory()
  for (let n = 0; n < 2_000; n++) memory.note({ working: [`s${n}`] })
  expect(memory.known.sessions).toHaveLength(500)
  expect(memory.known.sessions.at(-1)).toBe('s1999')
})

test('afterSeq belongs to one session: without its id it is refused', async () => {
  const rig = await startEngine('here on memory')
  await expect(connection(rig).looked({ afterSeq: 3 })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('sessionId') as string,
  })
})
