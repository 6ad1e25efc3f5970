import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../src/assembly/app.ts'
import { AppError } from '../../src/base/errors.ts'
import { SessionId } from '../../src/base/ids.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { CALLERS } from '../rig/clients/family.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { eventually } from '../rig/tools/eventually.ts'

const me = { caller: CALLERS.operator }
const OTHER = SessionId.parse('00000000-0000-4000-8000-00000000000c')

async function place(store?: Store) {
  const folder = await temporaryFolder()
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const path of [home, project]) await mkdir(path)
  const kept = store ?? (await openMemoryStore())
  const open = async (): Promise<App> => {
    const app = await createApp({
      store: kept,
      limits: { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 },
      environment: {
        home,
        env: { HOME: home, CLAUDE_CONFIG_DIR: join(home, 'config') },
        leaseSeconds: 600,
        trusted: () => [],
        findCli: async () => ({ path: '/usr/bin/claude', version: '2.1.197' }),
        transcriptOf: async () => undefined,
        openElsewhere: async () => undefined,
        permitUrl: () => 'http://127.0.0.1:1/mcp',
        onError: () => {},
      },
      relay: { command: '/usr/bin/node', args: ['plexus', 'relay'] },
    })
    onTestFinished(() => app.close({ endChildren: false }))
    return app
  }
  const app = await open()
  const create = (fields: object = {}) =>
    app.engine.createSession(me, { options: StartOptions.parse({ workingDirectory: project, ...fields }) })
  return { app, open, create, home, project, store: kept }
}

/** A process to have a conversation. */
function someProcess(): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['600'])
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { pid: child.pid ?? 0 })
}

const rejects = (code: string) => ({ code }) as unknown as AppError

test('a terminal gets the conversation with its folder and mode; until it is returned nothing can be done with it here', async () => {
  const { app, create, project, home } = await place()
  const { id } = await create({ name: 'web', permissionMode: 'plan', model: 'haiku', addDirs: ['/tmp'] })
  const { pid } = someProcess()
  const { session, command } = await app.engine.handOver(me, { sessionId: 'web', to: 'terminal', pid })
  expect(session).toMatchObject({ status: 'running', turn: 1, outside: { to: 'terminal', pid } })
  expect(command).toEqual({
    cli: '/usr/bin/claude',
    args: [`--session-id=${id}`, '--permission-mode=plan', '--model=haiku', '--add-dir=/tmp'],
    workingDirectory: project,
    configFolder: join(home, 'config'),
  })
  const { engine } = app
  for (const call of [
    () => engine.startTurn(me, { sessionId: id, content: 'hello' }),
    () => engine.handOver(me, { sessionId: id, to: 'terminal', pid }),
    () => engine.stopSession(me, { sessionId: id }),
    () => engine.interrupt(me, { sessionId: id }),
    () => engine.deleteSession(me, { sessionId: id, stop: true }),
  ])
    await expect(call()).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining(`pid ${pid}`) as string,
    })
  // Of another process, so it is ignored.
  await engine.returnSession(me, { sessionId: id, pid: pid + 1 })
  expect(await engine.getSession(me, { sessionId: id })).toMatchObject({ status: 'running' })
  const back = await engine.returnSession(me, { sessionId: id, pid, exitCode: 1, cliSessionId: OTHER })
  expect(back).toMatchObject({ status: 'done', cliSessionId: OTHER })
  expect([back.outside, back.stopped]).toEqual([undefined, undefined])
})

test('only a person takes a conversation into a terminal, and only who may resume any names another conversation', async () => {
  const { app, create, project } = await place()
  const { id } = await create()
  const { pid } = someProcess()
  const agent = { caller: { ...CALLERS.operator, scopes: [], person: false } }
  const client = { caller: { ...CALLERS.owner, person: true } }
  for (const call of [agent, client])
    await expect(app.engine.handOver(call, { sessionId: id, to: 'terminal', pid })).rejects.toMatchObject(
      rejects('forbidden'),
    )
  const owned = await app.engine.createSession(client, {
    options: StartOptions.parse({ workingDirectory: project, carrier: 'mcp' }),
  })
  const sessionId = owned.id
  await app.engine.handOver(client, { sessionId, to: 'command', pid })
  await expect(
    app.engine.returnSession(client, { sessionId, pid, cliSessionId: OTHER }),
  ).rejects.toMatchObject(rejects('forbidden'))
  expect(await app.engine.returnSession(client, { sessionId, pid })).toMatchObject({
    cliSessionId: sessionId,
  })
})

test.each([
  [{ exitCode: 0 }, { status: 'done' }],
  [{ exitCode: 1 }, { status: 'failed', error: { code: 'cli_failed' } }],
  [{ exitCode: 143 }, { status: 'interrupted' }],
  [{ exitCode: 0, signal: 'SIGINT' }, { status: 'interrupted' }],
])('a command that ends with %o leaves its session %o, and stopped', async (end, expected) => {
  const { app, create } = await place()
  const { id: sessionId } = await create({ carrier: 'mcp' })
  const { pid } = someProcess()
  await app.engine.handOver(me, { sessionId, to: 'command', pid })
  expect(await app.engine.returnSession(me, { sessionId, pid, ...end })).toMatchObject({
    ...expected,
    stopped: true,
  })
})

test('the end of a process that nobody reported is found, also by the next hub', async () => {
  const { app, open, create, store } = await place()
  const { id: sessionId } = await create()
  const process = someProcess()
  await app.engine.handOver(me, { sessionId, to: 'terminal', pid: process.pid })
  await app.close({ endChildren: false })
  const { engine } = await open()
  expect(await engine.getSession(me, { sessionId })).toMatchObject({ status: 'running' })
  process.kill('SIGKILL')
  await eventually(async () => expect(await store.sessions.get(sessionId)).toMatchObject({ status: 'done' }))
  const { events } = await engine.readEvents(me, { sessionId })
  expect(events.at(-1)?.event).toEqual({ type: 'session.returned', gone: true })
})

test('the name of a session whose process was killed is free at once', async () => {
  const { app, create } = await place()
  const { id: sessionId } = await create({ name: 'nightly', carrier: 'mcp' })
  const process = someProcess()
  await app.engine.handOver(me, { sessionId, to: 'command', pid: process.pid })
  const { id: next } = await create()
  await expect(app.engine.renameSession(me, { sessionId: next, name: 'nightly' })).rejects.toMatchObject(
    rejects('in_use'),
  )
  process.kill('SIGKILL')
  await once(process, 'close')
  expect(await app.engine.renameSession(me, { sessionId: next, name: 'nightly' })).toMatchObject({ id: next })
  expect(await app.engine.getSession(me, { sessionId })).toMatchObject({ status: 'interrupted' })
})

test('the calls of a command are judged as those of a child, for its own session alone', async () => {
  const { app, create, home, project } = await place()
  const { id } = await create({ carrier: 'mcp' })
  const { args } = await app.engine.commandConfig(me, { sessionId: id })
  const file = await readFile(join(home, 'runs', `outside-${id}`, 'mcp.json'), 'utf8')
  const [, token = ''] = /"PLEXUS_RELAY_TOKEN":"([^"]+)"/.exec(file) ?? []
  expect(token).toHaveLength(43)
  expect(args.join(' ')).not.toContain(token)
  const caller = { ...CALLERS.itself, name: id, scopes: [] }
  const judged = (command: string) =>
    app.engine.judgeCall(
      { caller },
      {
        hookInput: {
          tool_name: 'Bash',
          tool_input: { command },
          tool_use_id: `toolu_${command}`,
          cwd: project,
          permission_mode: 'default',
        },
      },
    )
  expect(await judged('ls')).toEqual({})
  expect(await judged('touch x')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
  // What cannot be read is asked about.
  expect(await app.engine.judgeCall({ caller }, { hookInput: {} })).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'ask' },
  })
  const { events } = await app.engine.readEvents(me, { sessionId: id })
  expect(events.map(({ event }) => event.type)).toEqual([
    'tool.used',
    'tool.seen',
    'tool.used',
    'tool.seen',
    'tool.seen',
  ])
  await expect(app.engine.judgeCall(me, { hookInput: {} })).rejects.toMatchObject(rejects('forbidden'))
})
