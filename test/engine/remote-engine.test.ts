import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findHub } from '../../src/engine/hub-address.ts'
import { createRemoteEngine } from '../../src/engine/remote-engine.ts'
import { engineContract } from '../contracts/engine.contract.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { aStep } from '../contracts/rows.ts'
import { type EngineRig, ME, startEngine } from '../rig/engines.ts'

describe('the engine behind a socket', () => {
  engineContract('behind a socket')
})

/** Adds so many events to a session that has no process. */
async function happen({ parts }: EngineRig, sessionId: string, count: number): Promise<void> {
  await parts.store.journal.append({ ...aStep(count), sessionId })
  parts.app.supervisor.doorbells.ring(sessionId)
}

describe('when the hub goes away', () => {
  test('who follows goes on with the next one, and no event is lost or comes twice', async () => {
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

  test('a call that was on its way is not said to have failed', async () => {
    const rig = await startEngine('behind a socket')
    const wait = rig.engine.waitFor(ME, { seconds: 50 })
    await expect.poll(() => rig.parts.hub?.underWay).toBe(1)
    const refused = refusalOf(wait)
    await rig.parts.hub?.crash()
    expect(await refused).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('look at the session') as string,
    })
  })
})

test('a token that nobody has is refused', async () => {
  const rig = await startEngine('behind a socket')
  const stranger = createRemoteEngine({ find: () => findHub(rig.home, 'made up') })
  expect((await refusalOf(stranger.listSessions(ME, {}))).code).toBe('forbidden')
  const follow = stranger.followEvents(ME, { sessionId: randomUUID(), after: 0 })
  expect((await refusalOf(follow[Symbol.asyncIterator]().next())).code).toBe('forbidden')
  stranger.close()
})

test('whoever is given no token and cannot read the operator’s is told', async () => {
  const rig = await startEngine('behind a socket')
  const remote = createRemoteEngine({ find: () => findHub(rig.home) })
  expect(await refusalOf(remote.listSessions(ME, {}))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('token') as string,
  })
  remote.close()
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
