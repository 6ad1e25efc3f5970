import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findHub } from '../rig/hubs/find-hub.ts'
import { createRemoteEngine } from '../../src/hub-client/remote-engine.ts'
import { engineContract } from '../contracts/engine.contract.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { aStep } from '../contracts/rows.ts'
import { type EngineRig, ME, OPERATOR, startEngine } from '../rig/hubs/engines.ts'
import { asSessionId } from '../rig/tools/ids.ts'

describe('the engine behind a socket', () => {
  engineContract('behind a socket')
})

/** Adds so many events to a session that has no process. */
async function happen({ parts }: EngineRig, sessionId: string, count: number): Promise<void> {
  await parts.store.journal.append({ ...aStep(count), sessionId: asSessionId(sessionId) })
  parts.app.supervisor.doorbells.ring(sessionId)
}

describe('when the hub goes away', () => {
  test('a follower continues with the next one, and no event is lost or comes twice', async () => {
    const rig = await startEngine('behind a socket')
    const { hub } = rig.parts
    const { id: sessionId } = await rig.create()
    await happen(rig, sessionId, 3)
    const seen: number[] = []
    for await (const { events } of rig.engine.followEvents(ME, { sessionId, after: 0 })) {
      seen.push(...events.map(({ seq }) => seq))
      const last = seen.at(-1) ?? 0
      if (last >= 9) break
      await hub?.crash()
      await happen(rig, sessionId, 3)
      await hub?.open()
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('it says so and what to do, and finds the next one where it is', async () => {
    const rig = await startEngine('behind a socket')
    const { hub } = rig.parts
    await rig.create({ name: 'kept' })
    await hub?.crash()
    const gone = await refusalOf(rig.engine.getSession(ME, { sessionId: 'kept' }))
    expect(gone).toMatchObject({ code: 'busy', message: expect.stringContaining('plexus serve') as string })
    await rm(join(rig.home, 'hub.json'))
    expect((await refusalOf(rig.engine.getSession(ME, { sessionId: 'kept' }))).code).toBe('busy')
    await hub?.open()
    expect(await rig.engine.getSession(ME, { sessionId: 'kept' })).toMatchObject({ name: 'kept' })
  })

  test('a call that was on its way is not said to have failed, and not done twice', async () => {
    const rig = await startEngine('behind a socket')
    const { id: sessionId } = await rig.create()
    const { hub } = rig.parts
    const arrived = hub?.holdNext()
    const refused = refusalOf(rig.engine.startTurn(ME, { sessionId, content: 'go' }))
    await arrived
    await hub?.crash()
    await hub?.open()
    expect(await refused).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('check the session') as string,
    })
    expect(await rig.engine.listTurns(ME, { sessionId })).toEqual([])
  })

  test('what only looks is asked again of the next one', async () => {
    const rig = await startEngine('behind a socket')
    const { id: sessionId } = await rig.create({ name: 'kept' })
    const { hub } = rig.parts
    const arrived = hub?.holdNext()
    const found = rig.engine.getSession(ME, { sessionId })
    await arrived
    await hub?.crash({ next: true })
    expect(await found).toMatchObject({ name: 'kept' })
  })

  test.each(['cuts it off', 'ends it before its time'])(
    'a wait continues with the next one when its hub %s',
    async (how) => {
      const rig = await startEngine('behind a socket')
      const { parts } = rig
      const { id: sessionId } = await rig.create()
      await happen(rig, sessionId, 1)
      await parts.store.journal.append({
        ...aStep(1),
        sessionId,
        session: { ...(await rig.engine.getSession(ME, { sessionId })), status: 'running' },
      })
      const wait = rig.engine.waitFor(ME, { sessionIds: [sessionId], seconds: 50 })
      await expect.poll(() => parts.hub?.underWay).toBe(1)
      if (how === 'cuts it off') await parts.hub?.crash()
      else parts.hub?.endWaits()
      await expect.poll(() => parts.hub?.underWay).toBe(0)
      if (how === 'cuts it off') await parts.hub?.open()
      await expect.poll(() => parts.hub?.underWay).toBe(1)
      await parts.store.journal.append({
        ...aStep(1),
        sessionId,
        session: { ...(await rig.engine.getSession(ME, { sessionId })), status: 'done' },
      })
      parts.app.supervisor.doorbells.ring(sessionId)
      expect(await wait).toMatchObject([{ id: sessionId, status: 'done' }])
    },
  )

  test('one is started where that can be done, and once', async () => {
    const rig = await startEngine('behind a socket')
    const { hub } = rig.parts
    await rig.create({ name: 'kept' })
    await hub?.close()
    hub?.callers.set('mine', OPERATOR)
    let started = 0
    const remote = createRemoteEngine({
      find: () => findHub(rig.home, 'mine'),
      start: async () => {
        started++
        await hub?.open()
      },
    })
    onTestFinished(() => remote.close())
    expect(await remote.getSession(ME, { sessionId: 'kept' })).toMatchObject({ name: 'kept' })
    expect(await remote.listSessions(ME, {})).toHaveLength(1)
    expect(started).toBe(1)
  })
})

test.each([
  ['operator', true, ['bypass'], { model: false, bypass: false, person: false }],
  ['operator', false, ['bypass'], { model: true, bypass: true, person: false }],
  ['operator', false, [], { model: true, bypass: false, person: false }],
  ['client', false, [], { model: true, bypass: false, person: false }],
  ['client', true, [], { model: false, bypass: false, person: true }],
] as const)(
  'the hub gets the claim of the caller: %s, person %s, scopes %j',
  async (kind, person, scopes, claim) => {
    const rig = await startEngine('behind a socket')
    await rig.engine.listSessions({ caller: { ...OPERATOR, kind, person, scopes } }, {})
    expect(rig.parts.hub?.claims.at(-1)).toEqual(claim)
  },
)

test('a token that nobody has is refused', async () => {
  const rig = await startEngine('behind a socket')
  const stranger = createRemoteEngine({ find: () => findHub(rig.home, 'made up') })
  expect((await refusalOf(stranger.listSessions(ME, {}))).code).toBe('forbidden')
  const follow = stranger.followEvents(ME, { sessionId: randomUUID(), after: 0 })
  expect((await refusalOf(follow[Symbol.asyncIterator]().next())).code).toBe('forbidden')
  stranger.close()
})

test('a wait that is ended here ends in the hub too', async () => {
  const rig = await startEngine('behind a socket')
  const { hub } = rig.parts
  const enough = new AbortController()
  const wait = rig.engine.waitFor({ ...ME, signal: enough.signal }, { seconds: 50 })
  await expect.poll(() => hub?.underWay).toBe(1)
  enough.abort()
  expect(await wait).toEqual([])
  await expect.poll(() => hub?.underWay).toBe(0)
})
