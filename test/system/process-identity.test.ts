import { expect, test } from 'vitest'
import { identityOf, isAlive } from '../../src/system/process-identity.ts'
import { rowFromStat, rowsFromPs } from '../../src/system/process-table.ts'
import { Script } from '../child/process/script.ts'

const linux = process.platform === 'linux'

test('a live process has an identity that stays the same', async () => {
  const first = await identityOf(process.pid)
  expect(first).toEqual({ pid: process.pid, startedAt: expect.stringMatching(/\d/) })
  expect(await identityOf(process.pid)).toEqual(first)
  expect(first && (await isAlive(first))).toBe(true)
})

test('a pid that nobody has gives no identity', async () => {
  expect(await identityOf(2 ** 30)).toBeUndefined()
})

test('a process with another start time is another process', async () => {
  expect(await isAlive({ pid: process.pid, startedAt: '1' })).toBe(false)
})

test('a process that ended is not alive', async () => {
  const script = new Script('echo $$; read line')
  const [pid = 0] = await script.pids(1)
  const identity = await identityOf(pid)
  expect(identity && (await isAlive(identity))).toBe(true)
  const exited = new Promise((resolve) => script.child.once('exit', resolve))
  script.child.stdin.end()
  await exited
  expect(identity && (await isAlive(identity))).toBe(false)
})

test('a zombie is not alive', async () => {
  // `exec` puts a program in place of the shell that never asks how its child ended; its echo says it is there.
  const script = new Script('sleep 1000 & echo $!; exec cat')
  const [pid = 0] = await script.pids(1)
  script.child.stdin.write('in place\n')
  expect(await script.line()).toBe('in place')
  expect(await identityOf(pid)).toBeDefined()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => identityOf(pid), { timeout: 30_000 }).toBeUndefined()
  process.kill(pid, 0) // throws if the pid were free
})

test.runIf(linux)('spaces and parentheses in the name of a process do no harm', async () => {
  const script = new Script('printf "a) Z 1 (b" >/proc/$$/comm; echo $$; read line')
  const [pid = 0] = await script.pids(1)
  const numbers = await identityOf(process.pid)
  expect(Number((await identityOf(pid))?.startedAt)).toBeGreaterThanOrEqual(Number(numbers?.startedAt))
})

function fieldsBehindName(state: string, threads: number): string {
  return `${state} 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 ${threads} 0 4711 100 200\n`
}

test('the fields are read after the name', () => {
  expect(rowFromStat(`12 (a) Z 1 (b) ${fieldsBehindName('S', 1)}`)).toEqual({
    pid: 12,
    startedAt: '4711',
    parent: 7,
    leaders: [8, 9],
  })
  expect(rowFromStat(`12 (sh) ${fieldsBehindName('Z', 1)}`)).toBeUndefined()
  expect(rowFromStat('')).toBeUndefined()
})

test('a process whose main thread has ended is alive while other threads run', () => {
  expect(rowFromStat(`12 (sh) ${fieldsBehindName('Z', 2)}`)?.pid).toBe(12)
})

test('the output of ps becomes rows, without zombies', () => {
  const output =
    '    1     0     1 Ss   Sun Nov 15 08:00:01 2026\n' +
    '  502     1   502 S+   Sun Nov  1 20:09:59 2026\n' +
    '  503   502   502 Z+   Sun Nov  1 20:10:00 2026\n\n'
  expect(rowsFromPs(output)).toEqual([
    { pid: 1, startedAt: 'Sun Nov 15 08:00:01 2026', parent: 0, leaders: [1] },
    { pid: 502, startedAt: 'Sun Nov 1 20:09:59 2026', parent: 1, leaders: [502] },
  ])
})
