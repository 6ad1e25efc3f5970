import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Child } from '../../../src/child/process/child-process.ts'
import { lastWill } from '../../../src/child/lines/stdin-messages.ts'
import { lineOf } from '../../../src/child/lines/message-line.ts'
import { KEEPER } from '../../../src/child/process/keeper.ts'
import { identityOf, isAlive } from '../../../src/system/process-identity.ts'
import { createRunFolder } from '../../../src/child/process/run-folder.ts'
import { descendantsOf, endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import { adoptChild, type ChildSpec, startChild } from '../../../src/child/process/start-child.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const will = lastWill().map(lineOf).join('')

/** A child that says what it hears. */
async function echoSpec(change: Partial<ChildSpec> = {}): Promise<ChildSpec> {
  const folder = await temporaryFolder()
  const sessionId = randomUUID()
  return {
    sessionId,
    runPath: join(folder, 'run'),
    cli: '/bin/cat',
    args: [],
    env: { PATH: '/usr/bin:/bin', LOOPBACK_SESSION_ID: sessionId },
    workingDirectory: folder,
    leaseSeconds: 600,
    messages: [],
    ...change,
  }
}

async function startEcho(change: Partial<ChildSpec> = {}): Promise<{ child: Child; spec: ChildSpec }> {
  const spec = await echoSpec(change)
  const child = await startChild(spec)
  onTestFinished(async () => {
    child.close()
    await endAll(() => processesOfSession(spec.sessionId))
  })
  return { child, spec }
}

const said = (child: Child) => readFile(child.run.stdout, 'utf8')

test('messages that lie there before the start are fed first, then the later ones, in the order of the puts', async () => {
  const early = [{ n: 0 }, { n: 1 }, { n: 2 }]
  const { child } = await startEcho({ messages: early })
  // Too long for a pipe to take it whole, so all go by the folder.
  const late = Array.from({ length: 40 }, (_, index) => ({ n: index + 3, text: 'x'.repeat(5_000) }))
  await Promise.all(late.map((message) => child.put(message)))
  const all = [...early, ...late].map(lineOf).join('')
  await eventually(async () => expect(await said(child)).toBe(all))
  const sizes = async () =>
    Promise.all(
      (await readdir(child.run.todo)).map(async (name) => (await stat(join(child.run.todo, name))).size),
    )
  await eventually(async () => expect((await sizes()).every((size) => size === 0)).toBe(true))
  // What was told is removed many at a time.
  const last = { n: 43, text: 'x'.repeat(5_000) }
  await child.put(last)
  await eventually(async () => expect((await sizes()).length).toBeLessThan(32))
  await eventually(async () => expect(await said(child)).toBe(all + lineOf(last)))
})

test('a message of 4 MB arrives whole', async () => {
  const { child } = await startEcho()
  const message = { text: 'ä\u2028"'.repeat(400_000) }
  await child.put(message)
  await eventually(async () => expect((await said(child)).length).toBe(lineOf(message).length))
  expect(JSON.parse(await said(child))).toEqual(message)
})

/** What /bin/sh is elsewhere must keep a child just as well as what it is here. */
const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].filter((path) => existsSync(path))

async function keptBy(shell: string, cli: readonly string[]): Promise<Child> {
  const folder = await temporaryFolder()
  const sessionId = randomUUID()
  const run = await createRunFolder(join(folder, 'run'))
  const applet = shell.endsWith('busybox') ? ['sh'] : []
  const keeper = spawn(shell, [...applet, '-c', KEEPER, 'plexus-keeper', run.path, '600', ...cli], {
    env: { PATH: '/usr/bin:/bin', LOOPBACK_SESSION_ID: sessionId },
    stdio: 'ignore',
  })
  onTestFinished(async () => void (await endAll(() => processesOfSession(sessionId))))
  await eventually(async () => expect(await readFile(run.keeper, 'utf8')).toBe(`${keeper.pid}\n`))
  const child = await adoptChild(run.path, sessionId)
  onTestFinished(() => child.close())
  return child
}

test.each(shells)('with %s every text arrives as it was put, be it short or long', async (shell) => {
  const child = await keptBy(shell, ['/bin/cat'])
  const odd = String.raw`  \n\\c\0101 %s%d%% -n "$HOME" $(date) '*' ~ ` + '`date`\x7f '
  const texts = [odd, '', '-n', `${odd}\0\u0081\u0088`, 'ä€😀\u2028', '\n\r\t\u001b']
  const long = [2_000, 4_083, 4_084, 4_085, 4_086, 9_000].map((length) => 'x'.repeat(length))
  const messages = [...texts, ...long, odd.repeat(100), ...texts].map((text) => ({ text }))
  await Promise.all(messages.map((message) => child.put(message)))
  await eventually(async () => expect(await said(child)).toBe(messages.map(lineOf).join('')))
})

test.each(shells)(
  'with %s a child that has closed its stdin does not take its keeper with it',
  async (shell) => {
    const child = await keptBy(shell, ['/bin/sh', '-c', 'exec 0<&-; echo closed; exec tail -f /dev/null'])
    await eventually(async () => expect(await said(child)).toBe('closed\n'))
    await eventually(async () => expect(await namesOf(child.sessionId)).not.toContain('sleep\n'))
    await child.put({ n: 1 })
    await child.put({ text: 'x'.repeat(10_000) })
    child.close()
    // With the hub gone it begins its lease, which it does after all that it was given before.
    await eventually(async () => expect(await namesOf(child.sessionId)).toContain('sleep\n'))
  },
)

test('stop feeds the last will, closes stdin and returns the exit code', async () => {
  const { child } = await startEcho()
  expect(await child.stop()).toEqual({ kind: 'exited', code: 0 })
  expect(await said(child)).toBe(will)
})

test('the exit code of a child that ends by itself is returned, and its last words are read', async () => {
  const { child } = await startEcho({
    cli: '/bin/sh',
    args: ['-c', 'echo one; echo two; printf three; exit 7'],
  })
  const lines: string[] = []
  for await (const batch of child.read(0)) lines.push(...batch.lines.map(({ text }) => text))
  expect(lines).toEqual(['one', 'two', 'three'])
  expect(await child.ended).toEqual({ kind: 'exited', code: 7 })
})

test('a command that does not exist ends as 127 with the reason on stderr', async () => {
  const { child } = await startEcho({ cli: '/nowhere/claude' })
  expect(await child.ended).toEqual({ kind: 'exited', code: 127 })
  expect(await readFile(child.run.stderr, 'utf8')).toContain('not found')
})

test('R25: when no hub comes back within the lease, the will is fed and stdin closed', async () => {
  const { child, spec } = await startEcho({ leaseSeconds: 1 })
  await child.put({ n: 1 })
  await eventually(async () => expect(await said(child)).toBe(lineOf({ n: 1 })))
  child.close()
  const adopted = await (async () => {
    await eventually(async () => expect(await readFile(child.run.exit, 'utf8')).toBe('0\n'))
    return adoptChild(spec.runPath, spec.sessionId)
  })()
  expect(await adopted.ended).toEqual({ kind: 'exited', code: 0 })
  expect(await said(adopted)).toBe(lineOf({ n: 1 }) + will)
})

test('R25: a child whose first hub dies before it took hold is ended by the lease too', async () => {
  const { child } = await startEcho({ leaseSeconds: 1, messages: [{ n: 1 }] })
  child.close()
  await eventually(async () => expect(await readFile(child.run.exit, 'utf8')).toBe('0\n'))
})

test('a hub that comes back within the lease continues where the last one was, as often as it likes', async () => {
  const { child, spec } = await startEcho({ leaseSeconds: 600 })
  let hub = child
  for (let n = 0; n < 5; n++) {
    hub.close()
    // A message that was laid down but not rung for is not lost: the next hub's coming is a ring.
    hub = await adoptChild(spec.runPath, spec.sessionId)
    await hub.put({ n })
  }
  const all = [0, 1, 2, 3, 4].map((n) => lineOf({ n })).join('')
  await eventually(async () => expect(await said(hub)).toBe(all))
  hub.close()
})

test('while a hub is there the keeper is two shells and nothing else', async () => {
  const { child, spec } = await startEcho()
  const again = await adoptChild(spec.runPath, spec.sessionId)
  onTestFinished(() => again.close())
  await again.put({ n: 1 })
  await eventually(async () => expect(await said(child)).toBe(lineOf({ n: 1 })))
  await eventually(async () =>
    expect((await namesOf(spec.sessionId)).toSorted()).toEqual(['cat\n', 'sh\n', 'sh\n']),
  )
})

async function namesOf(sessionId: string): Promise<string[]> {
  const all = await processesOfSession(sessionId)
  return Promise.all(all.map(({ pid }) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')))
}

test.each(['first', 'second'])(
  'R23: when the %s shell of a keeper is killed, its child is ended',
  async (which) => {
    const { child, spec } = await startEcho({ cli: '/bin/sh', args: ['-c', 'while :; do sleep 1; done'] })
    const pid = await eventually(
      async () => (await child.processes())?.child.pid ?? Promise.reject(new Error('no pid yet')),
    )
    process.kill(
      which === 'first'
        ? Number(await readFile(child.run.keeper, 'utf8'))
        : await feederOf(spec.sessionId, child),
      'SIGKILL',
    )
    expect(await child.ended).toEqual({ kind: 'lost', reason: 'keeper_gone' })
    expect(await processesOfSession(spec.sessionId)).toEqual([])
    expect(await descendantsOf([pid])).toEqual([])
  },
)

/** The shell that holds the child's stdin: of the keeper, but not its first one. */
async function feederOf(sessionId: string, child: Child): Promise<number> {
  const first = Number(await readFile(child.run.keeper, 'utf8'))
  for (const { pid } of await processesOfSession(sessionId)) {
    const argv = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (pid !== first && argv.includes('plexus-keeper')) return pid
  }
  throw new Error('The keeper has no second shell.')
}

test.each(shells)('S25: with %s no signal but SIGKILL ends a keeper before its child', async (shell) => {
  const child = await keptBy(shell, [
    '/bin/sh',
    '-c',
    'trap "echo heard" HUP; while read -r line; do echo "$line"; done',
  ])
  const shellPids = [Number(await readFile(child.run.keeper, 'utf8')), await feederOf(child.sessionId, child)]
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
    for (const pid of shellPids) process.kill(pid, signal)
  await child.put({ n: 1 })
  await eventually(async () => expect(await said(child)).toBe(lineOf({ n: 1 })))
  // The child hears signals as ever.
  const { child: kept } = (await child.processes()) ?? {}
  process.kill(kept?.pid ?? 0, 'SIGHUP')
  await child.put({ n: 2 })
  await eventually(async () => expect(await said(child)).toContain('heard\n'))
  expect(await child.stop()).toEqual({ kind: 'exited', code: 0 })
  expect(await processesOfSession(child.sessionId)).toEqual([])
})

test.each(shells)(
  'S25: with %s a signal to a keeper whose hub is gone does not end its lease',
  async (shell) => {
    const child = await keptBy(shell, ['/bin/cat'])
    await child.put({ n: 1 })
    await eventually(async () => expect(await said(child)).toBe(lineOf({ n: 1 })))
    await eventually(async () => expect(await namesOf(child.sessionId)).not.toContain('sleep\n'))
    child.close()
    await eventually(async () => expect(await namesOf(child.sessionId)).toContain('sleep\n'))
    const { child: kept } = (await child.processes()) ?? {}
    for (const { pid } of await processesOfSession(child.sessionId))
      if (pid !== kept?.pid)
        for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.kill(pid, signal)
    const again = await adoptChild(child.run.path, child.sessionId)
    onTestFinished(() => again.close())
    await again.put({ n: 2 })
    await eventually(async () => expect(await said(again)).toBe(lineOf({ n: 1 }) + lineOf({ n: 2 })))
  },
)

test('S25: a child hears the will too when the first shell of its keeper was killed', async () => {
  const { child } = await startEcho({ cli: '/bin/sh', args: ['-c', 'trap "" TERM; exec cat'] })
  await eventually(
    async () => (await child.processes())?.child.pid ?? Promise.reject(new Error('no pid yet')),
  )
  process.kill(Number(await readFile(child.run.keeper, 'utf8')), 'SIGKILL')
  expect(await child.ended).toEqual({ kind: 'lost', reason: 'keeper_gone' })
  expect(await said(child)).toBe(will)
})

test('of a keeper that does not come up nothing is left', async () => {
  const bin = await temporaryFolder()
  const pid = join(bin, 'pid')
  const hangs = `#!/bin/sh\necho $PPID >${pid}\n/bin/rm -r "\${3%/bell}"\nexec /bin/sleep 600\n`
  await writeFile(join(bin, 'mkfifo'), hangs, { mode: 0o700 })
  const spec = await echoSpec({ env: { PATH: `${bin}:/usr/bin:/bin` } })
  await expect(startChild(spec)).rejects.toMatchObject({ code: 'cli_failed' })
  const keeper = Number(await readFile(pid, 'utf8'))
  expect([await identityOf(keeper), await descendantsOf([keeper])]).toEqual([undefined, []])
})

test('I10: stop ends what was below the child, though it left its group and carries no mark', async () => {
  const strays = 'env -i setsid sleep 600 & echo $!; exec cat'
  const { child } = await startEcho({ cli: '/bin/sh', args: ['-c', strays] })
  const stray = await eventually(async () => {
    const identity = await identityOf(Number(await said(child)))
    return identity ?? Promise.reject(new Error('It is not there yet.'))
  })
  await child.stop()
  expect(await isAlive(stray)).toBe(false)
})

test('I10: stop ends a child, and what is below it, before its keeper has written its own pid', async () => {
  const bin = await temporaryFolder()
  const hangs = '#!/bin/sh\ncase $1 in */keeper.new) exec /bin/sleep 600 ;; esac\nexec /bin/mv "$@"\n'
  await writeFile(join(bin, 'mv'), hangs, { mode: 0o700 })
  const { env } = await echoSpec()
  const stray = 'env -i setsid sleep 600 & echo $!; exec cat'
  const { child } = await startEcho({
    cli: '/bin/sh',
    args: ['-c', stray],
    env: { ...env, PATH: `${bin}:/usr/bin:/bin` },
  })
  const below = await eventually(async () => {
    const identity = await identityOf(Number(await said(child)))
    return identity ?? Promise.reject(new Error('It is not there yet.'))
  })
  expect(await child.processes()).toBeUndefined()
  await child.stop([['SIGTERM', 0]])
  expect(await isAlive(below)).toBe(false)
})
