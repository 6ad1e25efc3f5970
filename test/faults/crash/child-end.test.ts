import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const run = (command: string) => ({ main: [tools(use('Bash', { command })), say('done')] })

/** The processes of the session by the name of their program. */
async function programs(session: Supervised): Promise<Map<string, number>> {
  const all = await processesOfSession(session.spec.sessionId)
  const named = await Promise.all(
    all.map(async ({ pid }) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return [name.trim(), pid] as const
    }),
  )
  return new Map(named)
}

async function untilRuns(session: Supervised, program: string): Promise<number> {
  return eventually(async () => {
    const pid = (await programs(session)).get(program)
    if (pid === undefined) throw new Error(`${program} does not run yet`)
    return pid
  })
}

const childPid = async (session: Supervised) => Number(await readFile(session.run.pid, 'utf8'))

test('R4: a child that is killed ends its session with the signal, and no tool process is left', async () => {
  const session = await supervise({ scenario: run('tail -f /dev/null'), answer: 'allow' })
  await untilRuns(session, 'tail')
  process.kill(await childPid(session), 'SIGKILL')
  const { error } = await session.event('run.ended')
  expect(error).toMatchObject({ code: 'cli_failed', message: expect.stringContaining('SIGKILL') as string })
  expect(await processesOfSession(session.spec.sessionId)).toEqual([])
})

test('R4: the question of a child that is killed is open no more', async () => {
  const session = await supervise({ scenario: run('touch x') })
  await session.event('approval.opened')
  process.kill(await childPid(session), 'SIGKILL')
  await session.event('run.ended')
  expect(session.pending()).toEqual([])
})

test('I10: after stop no descendant is left, nor any process that carries the id of the session', async () => {
  const command = 'setsid tail -f /dev/null >/dev/null 2>&1 & nohup sleep 600 >/dev/null 2>&1 & wait'
  const session = await supervise({ scenario: run(command), answer: 'allow' })
  await untilRuns(session, 'tail')
  await untilRuns(session, 'sleep')
  await session.stop()
  expect(await processesOfSession(session.spec.sessionId)).toEqual([])
  expect(await session.event('run.ended')).toBeDefined()
})

test('R23: a run whose machine was restarted is reported as ended, and nothing is left open', async () => {
  const session = await supervise({ scenario: run('touch x') })
  await session.event('approval.opened')
  await session.kill()
  for (const { pid } of await processesOfSession(session.spec.sessionId)) process.kill(pid, 'SIGKILL')
  await session.start()
  const { error } = await session.event('run.ended')
  expect(error?.message).toContain('keeper')
  expect(session.pending()).toEqual([])
})

test('R23: a child whose keeper was killed is ended, not ignored', async () => {
  const session = await supervise({ scenario: run('touch x') })
  await session.event('approval.opened')
  await session.kill()
  const child = await childPid(session)
  for (const { pid } of await processesOfSession(session.spec.sessionId))
    if (pid !== child) process.kill(pid, 'SIGKILL')
  await session.start()
  await session.event('run.ended')
  expect(await processesOfSession(session.spec.sessionId)).toEqual([])
})

test('R23: a child whose run folder was removed is ended, not ignored', async () => {
  const session = await supervise({ scenario: run('touch x') })
  await session.event('approval.opened')
  await rename(session.run.path, `${session.run.path}-removed`)
  const { error } = await session.event('run.ended')
  expect(error?.message).toContain('folder')
  expect(await processesOfSession(session.spec.sessionId)).toEqual([])
})

test.each([
  ['a question is open', { scenario: run('touch unasked'), wait: 'approval.opened' }],
  [
    'a hook is open',
    {
      scenario: run('touch unasked'),
      wait: 'tool.used',
      crash: { point: 'after-commit', event: 'tool.seen', nth: 1 },
    },
  ],
  [
    'a hook of a harmless tool is open',
    { scenario: run('ls'), wait: 'tool.used', crash: { point: 'after-commit', event: 'tool.seen', nth: 1 } },
  ],
  [
    'the model still talks',
    {
      scenario: { main: [{ blocks: [{ type: 'text', text: 'word '.repeat(2000), chunkMs: 20 }] }] },
      wait: 'text.streamed',
    },
  ],
] as const)(
  'R25: no hub comes back within the lease while %s: the child ends and runs nothing more',
  async (_, { wait, ...wish }) => {
    const session = await supervise({ leaseSeconds: 2, ...wish } as Parameters<typeof supervise>[0])
    if ('crash' in wish) await session.ended()
    else {
      await session.event(wait)
      await session.kill()
    }
    await eventually(async () => expect(await readFile(session.run.exit, 'utf8')).toMatch(/^\d+\n$/))
    await session.start()
    await session.event('run.ended')
    const finished = session.all('tool.finished')
    expect(finished.filter(({ isError }) => !isError)).toEqual([])
    expect(session.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(1)
    await expect(readFile(join(session.project, 'unasked'))).rejects.toThrow('ENOENT')
  },
)
