import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Doorbell } from '../../../src/base/doorbell.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { result, init, turn } from '../../rig/cli/scripted-lines.ts'
import { startSessions } from '../../rig/hubs/sessions.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

const nothing = { main: [] }

test('R23: a CLI that ends well and takes no prompt is tried a few times, then the session is failed', async () => {
  const all = await startSessions({ store: 'memory', scenario: nothing, script: [{ exit: 0 }] })
  const { id } = await all.start('go')
  expect(await all.settled(id)).toMatchObject({ status: 'failed', turn: 1, error: { code: 'cli_failed' } })
  const types = (await all.events(id)).map(({ type }) => type)
  expect(types.filter((type) => type === 'run.started')).toHaveLength(3)
  expect(types.at(-1)).toBe('prompt.withdrawn')
})

test('R27: a hub that dies between two processes starts the second after its restart', async () => {
  const script = [{ exit: 0 }]
  const session = await supervise({ script, crash: { point: 'after-commit', event: 'run.ended', nth: 1 } })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  await session.event('run.started', 2)
  await session.event('prompt.withdrawn')
  expect(session.all('prompt.accepted')).toHaveLength(1)
})

test('R19: a start that fails keeps nothing of its prompt, and the next one works', async () => {
  const all = await startSessions({ store: 'memory', scenario: nothing, script: [...turn(), ...turn()] })
  const folder = join(all.project, 'gone')
  await mkdir(folder)
  const { id } = await all.start('go', { workingDirectory: folder })
  await all.settled(id)
  await (await all.supervisor.wake(id)).stop()
  await rm(folder, { recursive: true })
  await all.supervisor.say(id, 'lost')
  expect(await all.settled(id)).toMatchObject({ status: 'failed', error: { code: 'cli_failed' } })
  await mkdir(folder)
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 3 })
  expect((await all.events(id)).filter(({ type }) => type === 'prompt.echoed')).toHaveLength(2)
})

test.each([0, 1])(
  'R4: a prompt that comes while the end of its process is stored gets another (exit code %i)',
  async (exit) => {
    const ending = new Doorbell()
    const released = new Doorbell()
    const around = (store: Store): Store => ({
      ...store,
      journal: {
        append: async (step, options) => {
          const events = [step].flat().flatMap((one) => one.events)
          if (events.some(({ event }) => event.type === 'run.ended')) {
            ending.ring()
            await released.next(10_000)
          }
          return store.journal.append(step, options)
        },
      },
    })
    const script = [{ echo: '"user"' }, init, result, { await: '"end"' }, { exit }]
    const all = await startSessions({ store: 'memory', scenario: nothing, script, around })
    const { id } = await all.start('go')
    await all.settled(id)
    const ended = (await all.supervisor.wake(id)).request({ subtype: 'end' } as never).catch(() => {})
    await ending.next(10_000)
    const said = all.supervisor.say(id, 'again')
    for (let looks = 0; looks < 5; looks++) await statfs(all.folder) // it looks too, before it writes
    released.ring()
    expect(await said).toMatchObject({ process: 'new', queued: false })
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
    await ended
    expect(all.errors).toEqual([])
  },
)
