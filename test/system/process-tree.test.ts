import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { identityOf, isAlive, type ProcessIdentity } from '../../src/system/process-identity.ts'
import {
  descendantsOf,
  endAll,
  findMarked,
  processesOfSession,
  signalAll,
} from '../../src/system/process-tree.ts'
import { Script } from '../child/process/script.ts'
import { untilProgram } from '../rig/tools/until-program.ts'

const linux = process.platform === 'linux'

/** Prints its pid, then starts itself once more until the count is used up. */
const DEEP = 'echo $$; if [ "$1" -gt 0 ]; then sh -c "$0" "$0" $(($1 - 1)) & wait; else exec sleep 1000; fi'

/** On SIGTERM it starts another one of itself and ends, until the count is used up. */
const HYDRA =
  'trap \'if [ "$1" -gt 0 ]; then $AGAIN sh -c "$0" "$0" $(($1 - 1)) & fi; exit\' TERM; ' +
  'echo $$; while :; do sleep 1000 & wait; done'

async function identitiesOf(pids: number[]): Promise<ProcessIdentity[]> {
  return (await Promise.all(pids.map(identityOf))).filter((identity) => identity !== undefined)
}

function pidsOf(processes: ProcessIdentity[]): number[] {
  return sorted(processes.map(({ pid }) => pid))
}

function sorted(pids: number[]): number[] {
  return pids.toSorted((a, b) => a - b)
}

async function sleeperWith(variables: Record<string, string>): Promise<number> {
  const env = { PATH: '/usr/bin:/bin', ...variables }
  const [pid = 0] = await new Script('echo $$; exec sleep 1000', [], { env }).pids(1)
  if (linux) await untilProgram(pid, 'sleep')
  return pid
}

test('descendants are found all the way down, without the root', async () => {
  const script = new Script(DEEP, ['3'])
  const [root = 0, ...below] = await script.pids(4)
  expect(pidsOf(await descendantsOf([root]))).toEqual(sorted(below))
  expect(await descendantsOf([below.at(-1) ?? 0])).toEqual([])
})

test('a process left in the group of another is its descendant', async () => {
  const script = new Script('echo $$; sh -c "sleep 1000 & echo \\$!"; read line')
  const [root = 0, orphan = 0] = await script.pids(2)
  expect(pidsOf(await descendantsOf([root]))).toContain(orphan)
})

test('I10: a process is ended with all its descendants', async () => {
  const script = new Script(DEEP, ['3'])
  const pids = await script.pids(4)
  const identities = await identitiesOf(pids)
  const ended = await endAll(async () => [
    ...identities.slice(0, 1),
    ...(await descendantsOf(pids.slice(0, 1))),
  ])
  expect(pidsOf(ended)).toEqual(expect.arrayContaining(pids))
  expect(await Promise.all(identities.map(isAlive))).toEqual([false, false, false, false])
})

test.runIf(linux)('I10: a process that left the tree is found by the session id it carries', async () => {
  const sessionId = randomUUID()
  const script = new Script('setsid sh -c "echo \\$\\$; exec sleep 1000" & wait', [], {
    env: { PATH: '/usr/bin:/bin', LOOPBACK_SESSION_ID: sessionId },
  })
  const [pid = 0] = await script.pids(1)
  await untilProgram(pid, 'sleep')
  const exited = new Promise((resolve) => script.child.once('exit', resolve))
  script.child.kill('SIGKILL')
  await exited
  expect(await descendantsOf([script.pid])).toEqual([])
  expect(pidsOf(await processesOfSession(sessionId))).toEqual([pid])
  expect(pidsOf(await endAll(findMarked(sessionId)))).toEqual([pid])
  expect(await identityOf(pid)).toBeUndefined()
})

test.runIf(linux)('only a whole entry of the environment counts', async () => {
  const sessionId = randomUUID()
  const own = await sleeperWith({ LOOPBACK_SESSION_ID: sessionId })
  await sleeperWith({ LOOPBACK_SESSION_ID: `${sessionId}0` })
  await sleeperWith({ MY_LOOPBACK_SESSION_ID: sessionId })
  // What the CLI marks may be somebody else's.
  await sleeperWith({ CLAUDE_CODE_SESSION_ID: sessionId })
  await sleeperWith({ NOTE: `LOOPBACK_SESSION_ID=${sessionId}` })
  await sleeperWith({ LOOPBACK_SESSION_ID: '' })
  expect(pidsOf(await processesOfSession(sessionId))).toEqual([own])
  expect(await processesOfSession('')).toEqual([])
})

test('I10: a process that forks on SIGTERM is ended too', async () => {
  const script = new Script(HYDRA, ['20'])
  const [root = 0] = await script.pids(1)
  const identities = await identitiesOf([root])
  const ended = await endAll(async () => identities)
  await script.closed
  expect(ended.length).toBeGreaterThan(0)
  expect(await descendantsOf([root])).toEqual([])
  expect(await Promise.all(ended.map(isAlive))).not.toContain(true)
})

test.runIf(linux)('I10: a process that forks out of its group on SIGTERM is ended too', async () => {
  const sessionId = randomUUID()
  const env = { PATH: '/usr/bin:/bin', AGAIN: 'setsid', LOOPBACK_SESSION_ID: sessionId }
  const script = new Script(HYDRA, ['20'], { env })
  await script.pids(1)
  const ended = await endAll(findMarked(sessionId))
  await script.closed
  expect(ended.length).toBeGreaterThan(0)
  expect(await processesOfSession(sessionId)).toEqual([])
})

test('a process that ignores SIGTERM is killed, at once when the signal aborts', async () => {
  const script = new Script("trap '' TERM; echo $$; while :; do read line; done")
  const [pid = 0] = await script.pids(1)
  const identities = await identitiesOf([pid])
  expect(await endAll(async () => identities, AbortSignal.abort())).toEqual(identities)
  expect(await identityOf(pid)).toBeUndefined()
})

test('a process that got the pid of another is neither signalled nor ended', async () => {
  const script = new Script('echo $$; exec cat')
  const [pid = 0] = await script.pids(1)
  const other = { pid, startedAt: 'long ago' }
  await signalAll([other], 'SIGKILL')
  await endAll(async () => [other], AbortSignal.abort())
  script.child.stdin.write('still here\n')
  expect(await script.line()).toBe('still here')
})

test('neither this process nor its other children are ended', async () => {
  const [mine, other] = [new Script('echo $$; exec cat'), new Script('echo $$; exec sleep 1000')]
  await mine.pids(1)
  const found = await identitiesOf([process.pid, ...(await other.pids(1))])
  expect(pidsOf(await endAll(async () => found))).toEqual([other.pid])
  mine.child.stdin.write('still here\n')
  expect(await mine.line()).toBe('still here')
})
