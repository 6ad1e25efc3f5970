import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { question, turn } from '../../rig/cli/scripted-lines.ts'
import { operator, startSessions } from '../../rig/hubs/sessions.ts'

const nothing = { main: [] }
const answering = () => join(import.meta.dirname, '../../fixtures/answering-child.sh')

describe('R12: many sessions', () => {
  test('R12: 200 are started and stopped, all reach the end of their turn, and nothing is left of them', async () => {
    const all = await startSessions({ store: 'sqlite', scenario: nothing, cli: answering })
    const live = async () => {
      const { id } = await all.start('go')
      const { status } = await all.settled(id)
      await (await all.supervisor.wake(id)).stop()
      return status
    }
    await live() // what is opened once and kept
    const before = await openFiles()
    const statuses: string[] = []
    const worker = async () => {
      while (statuses.length < 200) statuses[statuses.push('started') - 1] = await live()
    }
    await Promise.all(Array.from({ length: 10 }, worker))
    expect(statuses).toEqual(Array.from({ length: 200 }, () => 'done'))
    expect(await openFiles()).toBe(before)
    expect(await processesNaming(all.folder)).toEqual([])
    expect(all.errors).toEqual([])
    expect(await all.store.runs.live()).toEqual([])
  }, 90_000)

  test('S12 R12: an idle process makes room for a new session, and comes back when something is said', async () => {
    const ask = tools(use('Bash', { command: 'touch made' }))
    const main = ({ body }: { body: { messages: unknown } }) =>
      JSON.stringify(body.messages).includes('ring the bell') ? ask : say('done')
    const all = await startSessions({ store: 'memory', scenario: { main }, limits: { maxSessions: 1 } })
    const first = await all.start('go')
    await all.settled(first.id)
    const second = await all.start('ring the bell')
    await all.event(second.id, 'approval.opened')
    expect(await all.event(first.id, 'run.ended')).toMatchObject({ stopped: true })
    expect(await all.get(first.id)).toMatchObject({ status: 'done' })
    const refusal = await refusalOf(all.supervisor.say(first.id, 'again'))
    expect(refusal.code).toBe('too_many_sessions')
    expect(refusal.message).toMatch(/^1 .*MAX_SESSIONS/)
    // A start that finds no place leaves no session without a prompt behind.
    const options = StartOptions.parse({ workingDirectory: all.project })
    const start = all.engine.createSession(operator, { options, content: 'go' })
    expect((await refusalOf(start)).code).toBe('too_many_sessions')
    expect(await all.store.sessions.list({ limit: 9 })).toHaveLength(2)
    expect(await all.get(first.id)).toMatchObject({ status: 'done', turn: 1 })
    expect(await all.get(second.id)).toMatchObject({ status: 'waiting' })
    await (await all.supervisor.wake(second.id)).stop()
    expect(await all.supervisor.say(first.id, 'again')).toMatchObject({ process: 'resume' })
    expect(await all.settled(first.id)).toMatchObject({ status: 'done', turn: 2 })
  })

  test('R12: more sessions at once than there are places are refused or served, never stuck', async () => {
    const limits = { maxSessions: 3 }
    const all = await startSessions({ store: 'memory', scenario: nothing, cli: answering, limits })
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => all.start('go')))
    const started = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(started.length).toBeGreaterThanOrEqual(3)
    for (const { id } of started) expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect((await all.store.runs.live()).length).toBeLessThanOrEqual(3)
  })

  test('R12: a process that is idle for long is ended, and a prompt that meets its end is answered all the same', async () => {
    const all = await startSessions({
      store: 'memory',
      scenario: nothing,
      cli: answering,
      limits: { idleMs: 0 },
    })
    const { id } = await all.start('go')
    for (let number = 1; number < 15; number++) {
      expect(await all.settled(id)).toMatchObject({ status: 'done', turn: number })
      if (number % 3 === 0) await all.event(id, 'run.ended', number / 3)
      await Promise.all([all.supervisor.say(id, 'again'), all.supervisor.sweep()])
    }
    await all.settled(id)
    expect((await all.store.turns.list(id)).map(({ outcome }) => outcome)).toEqual(Array(15).fill('done'))
    expect(all.errors).toEqual([])
  })

  test('R12: a process that has said too much is ended when it is idle, not before', async () => {
    const big = [...turn({ big: 100_000 }), { echo: '"user"' }, ...question('q1')]
    const all = await startSessions({
      store: 'memory',
      scenario: nothing,
      script: big,
      limits: { maxOutputBytes: 50_000 },
    })
    const { id } = await all.start('go')
    await all.settled(id)
    // Nothing has come of what is said yet, and it is not idle any more.
    const session = await all.supervisor.wake(id)
    await Promise.all([session.say('again'), all.supervisor.sweep()])
    await all.event(id, 'approval.opened')
    await all.supervisor.sweep()
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    await session.stop()
    await session.say('and again')
    await all.settled(id)
    await all.supervisor.sweep()
    expect(await all.event(id, 'run.ended', 2)).toMatchObject({ stopped: true })
    expect(await all.get(id)).toMatchObject({ status: 'done' })
  })
})

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length

async function processesNaming(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}
