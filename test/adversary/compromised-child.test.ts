/** A child that does what it can with what it has: its token, its environment, and processes that outlive their shell. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identityOf, isAlive, type ProcessIdentity } from '../../src/system/process-identity.ts'
import { processesOfSession, signalAll } from '../../src/system/process-tree.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { Script } from '../child/process/script.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { untilProgram } from '../rig/tools/until-program.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import { isFull } from '../rig/cli/real-cli.ts'
import { tokenOf } from '../rig/hubs/session-token.ts'
import { startSessions } from '../rig/hubs/sessions.ts'
import { supervise } from '../rig/hubs/supervised.ts'

const linux = process.platform === 'linux'
const bash = (command: string) => tools(use('Bash', { command }))

async function aChild(place: HubPlace, hub: Hub, options: object): Promise<{ id: string; token: string }> {
  const { id } = await hub.call<Session>('createSession', {
    options: { workingDirectory: place.project, ...options },
  })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  return { id, token: (await tokenOf(place, hub, id)).token }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const PATHS = ['/rpc', '/mcp', '/mcp/child', '/metrics', '/events', '/rpc/', '//rpc', '/mcp/child/x', '/x']

interface Way {
  readonly method: string
  readonly path: string
  readonly socketPath?: string
}

/** The status of an answer, by the port or by the socket. */
function statusOf(hub: Hub, token: string, { method, path, socketPath }: Way): Promise<number> {
  const where = socketPath ? { socketPath } : { host: '127.0.0.1', port: hub.port }
  const headers = { authorization: `Bearer ${token}`, host: `127.0.0.1:${hub.port}` }
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method, path, headers }, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sent.on('error', reject).end()
  })
}

const NESTED: [string, object] = ['nested', { nested: true }]
const BY_CALLS: [string, object] = ['carrier mcp', { carrier: 'mcp' }]

test.each(isFull ? [BY_CALLS, NESTED] : [NESTED])(
  'S2: the token of a child (%s) opens no path by any method, on the port or the socket',
  async (_, options) => {
    const place = await hubPlace({ scenario: { main: [bash('touch own'), say('well')] } })
    const hub = await place.start()
    const [child, other] = [await aChild(place, hub, options), await aChild(place, hub, { nested: true })]
    const paths = [...PATHS, `/events?session=${other.id}`, `/events?session=${child.id}`]
    const ways = METHODS.flatMap((method) =>
      paths.flatMap((path) => [
        { method, path },
        { method, path, socketPath: hub.socket },
      ]),
    )
    const opened: string[] = []
    for (const way of ways)
      if ((await statusOf(hub, child.token, way)) < 400) opened.push(`${way.method} ${way.path}`)
    expect(opened).toEqual([])
  },
)

test.runIf(linux)(
  'a child has no token of the hub in its environment, its command line or its files',
  async () => {
    const place = await hubPlace({
      scenario: {
        main: [
          bash('env > env.txt; ls -l /proc/self/fd > fd.txt; touch asked'),
          bash('touch more'),
          say('well'),
        ],
      },
      env: { PLEXUS_TOKEN: 'secret-of-the-hub', PLEXUS_LOG: 'x' },
    })
    const hub = await place.start()
    const child = await aChild(place, hub, { nested: true, carrier: 'mcp' })
    const [first] = await hub.call<{ id: string }[]>('pending', { sessionId: child.id })
    await hub.call('answer', { approvalId: first?.id, answers: ['allow'] })
    await eventually(async () => {
      const [second] = await hub.call<{ id: string }[]>('pending', { sessionId: child.id })
      expect(second?.id).not.toBe(first?.id)
      expect(second).toBeDefined()
    })
    const secrets = [hub.token, child.token, 'secret-of-the-hub']
    const ofTool = readFileSync(join(place.project, 'env.txt'), 'utf8')
    expect(ofTool).toContain(`LOOPBACK_SESSION_ID=${child.id}`)
    expect(ofTool).not.toMatch(/^PLEXUS_/m)
    expect(readFileSync(join(place.project, 'fd.txt'), 'utf8')).not.toContain(place.home)
    const pids = (await processesOfSession(child.id)).map(({ pid }) => pid)
    const texts = [ofTool, ...pids.flatMap((pid) => [proc(pid, 'environ'), proc(pid, 'cmdline')])]
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
    // What is open in its own process: its input and output, and nothing else of ours.
    const own = pids.find(
      (pid) =>
        proc(pid, 'cmdline').includes('--session-id=') && !proc(pid, 'cmdline').includes('plexus-keeper'),
    )
    const ours = openFiles(own ?? 0).filter((path) => path.startsWith(place.home))
    expect(new Set(ours.map((path) => path.split('/').at(-1)))).toEqual(
      new Set(['stderr', 'stdin', 'stdout']),
    )
  },
)

const proc = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')

function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return '' // closed meanwhile
    }
  })
}

/** Each writes its pid and leaves its shell: it belongs to nobody, and to no group or session of the child. */
const LEAVERS = {
  'a new session of processes': 'setsid sleep 600',
  'two forks and a new group': 'sh -c "setsid sleep 600 & wait"',
  'without the mark of the CLI': 'env -u CLAUDE_CODE_SESSION_ID -u CLAUDECODE setsid sleep 600',
}
/** What leaves the tree and removes our mark leaves nothing to find it by. */
const HIDDEN = 'env -i setsid sleep 600'

const leaving = (command: string, index: number) => `(${command} >/dev/null 2>&1 & echo $! > pid${index})`

test.runIf(linux)(
  'I10: after stop no process is left that carries the mark; one that has removed it is not found',
  async () => {
    const all = [...Object.values(LEAVERS), HIDDEN]
    const command = `${all.map(leaving).join('; ')}; echo > ready; tail -f /dev/null`
    const session = await supervise({ scenario: { main: [bash(command), say('done')] }, answer: 'allow' })
    const identities = await eventually(async () => {
      readFileSync(join(session.project, 'ready'))
      return Promise.all(all.map((_, index) => identityIn(join(session.project, `pid${index}`))))
    })
    onTestFinished(() => signalAll(identities, 'SIGKILL'))
    await untilProgram(identities.at(-1)?.pid ?? 0, 'sleep') // until then it carries the mark
    await session.stop()
    expect(await Promise.all(identities.map(isAlive))).toEqual([false, false, false, true])
    expect(await processesOfSession(session.spec.sessionId)).toEqual([])
  },
)

async function identityIn(file: string): Promise<ProcessIdentity> {
  const identity = await identityOf(Number(readFileSync(file, 'utf8')))
  if (!identity) throw new Error('It does not run yet.')
  return identity
}

test.runIf(linux)(
  'S27: stopping a conversation that was resumed leaves what others started in it',
  async () => {
    const all = await startSessions({ store: 'memory', scenario: { main: [say('one'), say('two')] } })
    const { id } = await all.start('begin')
    await all.settled(id)
    await (await all.supervisor.wake(id)).stop()
    // A server that was started in a terminal, by the CLI, in the same conversation.
    const server = new Script('echo $$; exec sleep 1000', [], {
      env: { PATH: '/usr/bin:/bin', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: id },
    })
    const [pid = 0] = await server.pids(1)
    const identity = await identityOf(pid)
    expect(await all.supervisor.say(id, 'go on')).toMatchObject({ process: 'resume' })
    await all.settled(id)
    await (await all.supervisor.wake(id)).stop()
    expect(await processesOfSession(id)).toEqual([])
    expect(identity && (await isAlive(identity))).toBe(true)
  },
)
