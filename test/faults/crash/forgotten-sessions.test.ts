import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { readPage } from '../../../src/sessions/record/read-events.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { collectGarbage } from '../../rig/tools/collect-garbage.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { startSessions, stores } from '../../rig/hubs/sessions.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const nothing = { main: [] }
const answering = () => join(import.meta.dirname, '../../fixtures/answering-child.sh')

test.each(stores)(
  'R12: on %s a session whose process has ended is let go when nobody holds it, and whatever is said then is heard',
  async (store) => {
    const limits = { maxSessions: 4 }
    const all = await startSessions({ store, scenario: nothing, cli: answering, limits })
    const sessions = await Promise.all(Array.from({ length: 4 }, () => all.start('go')))
    const stop = async (id: string) => (await all.supervisor.wake(id)).stop()
    const ROUNDS = 6
    const talk = async ({ id }: { id: string }, at: number) => {
      await all.settled(id)
      for (let round = 1; round < ROUNDS; round++) {
        await stop(id)
        if ((round + at) % 2 === 0) await collectGarbage()
        const [said] = await Promise.all([all.supervisor.say(id, 'again'), collectGarbage()])
        expect(said.queued).toBe(false)
        await all.settled(id)
      }
      await stop(id)
    }
    await Promise.all(sessions.map(talk))
    for (const { id } of sessions) {
      expect(await all.get(id)).toMatchObject({ status: 'done', turn: ROUNDS })
      const { events } = await readPage(all.store, id, 0, 1_000)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      const types = events.map(({ event }) => event.type)
      for (const type of ['prompt.accepted', 'prompt.echoed', 'run.started', 'run.ended'])
        expect([type, types.filter((one) => one === type).length]).toEqual([type, ROUNDS])
    }
    await eventually(async () => {
      await collectGarbage()
      expect(all.supervisor.awake).toBe(0)
    })
    expect(all.errors).toEqual([])
  },
)

test('a session with a process, or with somebody who waits in it, is not let go', async () => {
  const all = await startSessions({ store: 'memory', scenario: nothing, cli: answering })
  const { id } = await all.start('go')
  await all.settled(id)
  const outside = all.track(
    await all.supervisor.creation.create({
      options: { ...(await all.get(id)).config, carrier: 'mcp' },
      owner: asCallerId('operator'),
    }),
  )
  const gone = new AbortController()
  const caller = {
    id: asCallerId(outside.id),
    kind: 'session',
    name: outside.id,
    scopes: [],
    person: false,
  } as const
  const asked = { toolName: 'Bash', input: {}, toolUseId: 't1' }
  const waits = all.engine.ask({ caller }, asked, gone.signal).catch(() => 'gone')
  await all.question(outside.id)
  for (let times = 0; times < 5; times++) await collectGarbage()
  expect(all.supervisor.awake).toBe(2)
  gone.abort()
  expect(await waits).toBe('gone')
  await (await all.supervisor.wake(id)).stop()
  await eventually(async () => {
    await collectGarbage()
    expect(all.supervisor.awake).toBe(0)
  })
})

test('R18: a hub that ends with its children leaves none, whatever restart was in flight', async () => {
  for (let events = 1; events <= 6; events++) {
    const all = await startSessions({ store: 'memory', scenario: nothing, script: [{ exit: 0 }] })
    const { id } = await all.start('go')
    const { config } = await all.get(id)
    const asleep = await all.supervisor.creation.create({ options: config, owner: asCallerId('operator') })
    // A CLI that takes no prompt is started again: end between, while and after that.
    await all.event(id, events % 2 === 0 ? 'run.ended' : 'run.started', Math.ceil(events / 2))
    await all.supervisor.close({ endChildren: true })
    const types = (await all.events(id)).map(({ type }) => type)
    expect(types.filter((type) => type === 'run.ended')).toHaveLength(
      types.filter((type) => type === 'run.started').length,
    )
    expect(await processesOfSession(id)).toEqual([])
    for (const one of [id, asleep.id])
      expect(await refusalOf(all.supervisor.say(one, 'again'))).toMatchObject({ code: 'busy' })
    expect((await all.events(id)).map(({ type }) => type)).toEqual(types)
    expect(all.errors).toEqual([])
  }
})
