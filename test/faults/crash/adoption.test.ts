import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { AppError } from '../../../src/base/errors.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { question, seen, turn } from '../../rig/cli/scripted-lines.ts'
import { operator, scriptedChild, type Sessions, startSessions } from '../../rig/hubs/sessions.ts'

const nothing = { main: [] }

async function runFolder(all: Sessions, sessionId: string): Promise<string> {
  const [run] = await all.store.runs.ofSession(sessionId)
  return run?.folder ?? ''
}

test('R1: a child is taken over whether or not the CLI can be found just then', async () => {
  let updating = false
  const cli = () => {
    if (updating) throw new AppError('cli_missing', 'It is being replaced.')
    return scriptedChild
  }
  const all = await startSessions({ store: 'memory', scenario: nothing, script: turn(...question('q')), cli })
  const { id } = await all.start('go')
  const asked = await all.event(id, 'approval.opened')
  await all.crash()
  updating = true
  await all.open()
  expect(all.errors).toEqual([])
  await all.allow(id, asked)
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
  expect(await all.store.approvals.get(asked.approvalId)).toMatchObject({ delivery: 'acknowledged' })
  expect(await all.supervisor.say(id, 'go on')).toMatchObject({ process: 'warm' })
  await (await all.supervisor.wake(id)).stop()
  expect(await processesOfSession(id)).toEqual([])
})

test('S15 S23: a child that is taken over is judged as one that was started here', async () => {
  const script = [...turn(), ...turn(seen('h', 'cat < /etc/passwd'))]
  const all = await startSessions({ store: 'memory', scenario: nothing, script })
  const { id } = await all.start('go')
  await all.settled(id)
  await all.crash()
  await all.open()
  await all.supervisor.say(id, 'go on')
  expect(await all.event(id, 'tool.seen')).toMatchObject({ opinion: 'ask' })
})

test('R23: a session that cannot be woken at a restart says so to whoever calls, and is taken over with the next try', async () => {
  let broken = 0
  const around = (store: Store): Store => ({
    ...store,
    grants: {
      ...store.grants,
      ofSession: async (sessionId) => {
        if (broken-- > 0) throw new AppError('busy', 'Another process is writing; try again.')
        return store.grants.ofSession(sessionId)
      },
    },
  })
  const script = turn(...question('q'))
  const all = await startSessions({ store: 'memory', scenario: nothing, script, around })
  const { id } = await all.start('go')
  const asked = await all.event(id, 'approval.opened')
  await all.crash()
  broken = 4
  await all.open()
  expect(all.errors).toMatchObject([{ code: 'busy' }])
  const calls = [() => all.allow(id, asked), () => all.engine.interrupt(operator, { sessionId: id })]
  for (const call of [...calls, () => all.engine.stopSession(operator, { sessionId: id })])
    expect(await refusalOf(call())).toMatchObject({ code: 'busy' })
  await all.supervisor.sweep()
  await all.allow(id, asked)
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
})

test('R23: a child that cannot be reached any more is ended and reported as lost', async () => {
  const all = await startSessions({ store: 'memory', scenario: nothing, script: turn(...question('q')) })
  const { id } = await all.start('go')
  const asked = await all.event(id, 'approval.opened')
  await all.crash()
  const bell = join(await runFolder(all, id), 'bell')
  await rm(bell)
  await symlink('/dev/null', bell)
  await all.open()
  expect(await all.settled(id)).toMatchObject({ status: 'failed', error: { code: 'cli_failed' } })
  expect(await all.store.approvals.get(asked.approvalId)).toMatchObject({ status: 'withdrawn' })
  expect(await processesOfSession(id)).toEqual([])
})

test('R23: a child whose words cannot be stored is ended, its session is failed and usable', async () => {
  let broken = false
  const around = (store: Store): Store => ({
    ...store,
    journal: {
      append: async (step, options) => {
        const begins = [step]
          .flat()
          .some(({ events }) => events.some(({ event }) => event.type === 'turn.started'))
        if (broken && begins) throw new AppError('internal', 'It cannot be written.')
        return store.journal.append(step, options)
      },
    },
  })
  const all = await startSessions({ store: 'memory', scenario: nothing, script: turn(), around })
  broken = true
  const { id } = await all.start('go')
  expect(await all.settled(id)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('It cannot be written.') as string },
  })
  expect(await processesOfSession(id)).toEqual([])
  broken = false
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
})
