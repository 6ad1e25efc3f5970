import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusalOf } from '../contracts/refusal.ts'
import { result, init, turn } from '../rig/scripted-lines.ts'
import { startSessions } from '../rig/sessions.ts'
import { supervise } from '../rig/supervised.ts'

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
  expect((await refusalOf(all.supervisor.say(id, 'lost'))).code).toBe('cli_failed')
  expect(await all.get(id)).toMatchObject({ status: 'failed', error: { code: 'cli_failed' } })
  await mkdir(folder)
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 3 })
  expect((await all.events(id)).filter(({ type }) => type === 'prompt.echoed')).toHaveLength(2)
})

test.each([0, 1])(
  'R4: a prompt that meets the end of its process (exit code %i) is answered or failed, never stuck',
  async (exit) => {
    const script = [{ echo: '"user"' }, init, result, { exit }]
    const all = await startSessions({ store: 'memory', scenario: nothing, script })
    const { id } = await all.start('go')
    for (let number = 2; number < 12; number++) {
      await all.settled(id)
      await all.supervisor.say(id, 'again')
    }
    expect((await all.settled(id)).status).toMatch(exit === 0 ? /done/ : /done|failed/)
    expect((await all.supervisor.wake(id)).state.open.prompts.size).toBe(0)
    expect(all.errors).toEqual([])
  },
)
