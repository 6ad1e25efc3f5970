import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { isAlive, identityOf } from '../../../src/system/process-identity.ts'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { type Hub, type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'

const asks = { main: [tools(use('Bash', { command: 'touch made' })), say('made')] }

/** A session whose child waits for an answer. */
async function waiting(place: HubPlace, hub: Hub): Promise<Session> {
  const session = await hub.call<Session>('createSession', { options: { workingDirectory: place.project } })
  place.sessions.add(session.id)
  await hub.call('startTurn', { sessionId: session.id, content: 'go' })
  const [found] = await hub.call<Session[]>('waitFor', { sessionIds: [session.id], seconds: 50 })
  expect(found?.status).toBe('waiting')
  return session
}

test('R18: a hub that is asked to stop ends with 0 while clients read, and its children live on', async () => {
  const place = await hubPlace({ scenario: asks })
  const hub = await place.start()
  const { id } = await waiting(place, hub)
  const headers = { authorization: `Bearer ${hub.token}` }
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${hub.url}/events?session=${id}`, { headers })),
  )
  const ends = streams.map((stream) => stream.text())
  const child = await identityOf((await processesOfSession(id))[0]?.pid ?? 0)
  expect(await hub.kill('SIGTERM')).toBe(0)
  for (const end of await Promise.all(ends)) expect(end).toContain('approval.opened')
  expect(child && (await isAlive(child))).toBe(true)

  const next = await place.start()
  const [question] = await next.call<PendingQuestion[]>('pending', { sessionId: id })
  await next.call('answer', { approvalId: question?.id, answers: ['allow'] })
  const [done] = await next.call<Session[]>('waitFor', { sessionIds: [id], seconds: 50 })
  expect(done?.status).toBe('done')
})

/** A request whose body the hub waits for: it has said so. */
async function halfRequest(hub: Hub, body: string): Promise<Socket> {
  const socket = connect(hub.socket)
  const head = [
    'POST /rpc HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${hub.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

test('R18: a caller that waits when the hub is asked to stop is answered', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'waitFor', params: { seconds: 50 } })
  const socket = await halfRequest(hub, call)
  socket.write(call)
  const answer = text(socket)
  expect(await hub.kill('SIGTERM')).toBe(0)
  expect(await answer).toContain('{"jsonrpc":"2.0","id":1,"result":[]}')
})

test('R18: a second signal ends it at once', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const half = await halfRequest(hub, '{}') // which holds up the end for as long as the hub's grace lasts
  hub.signal('SIGTERM')
  hub.signal('SIGINT')
  expect([130, 143]).toContain(await hub.ended)
  half.destroy()
})

test('R18: an end that takes too long is cut off, and the log and the exit code say so', async () => {
  const program = spawn(process.execPath, [programPath('never-ending')])
  const said = text(program.stderr)
  await once(program.stdout, 'data')
  program.kill('SIGTERM')
  expect(await once(program, 'close')).toEqual([1, null])
  expect(await said).toContain('"level":"error","message":"It did not end in time."')
})

test('R18: with --end-children the children of a hub that stops end with it, and what they asked is withdrawn', async () => {
  const place = await hubPlace({ scenario: asks })
  const hub = await place.start('--end-children')
  const { id } = await waiting(place, hub)
  expect(await hub.kill('SIGTERM')).toBe(0)
  expect(await processesOfSession(id)).toEqual([])
  const next = await place.start()
  expect(await next.call<PendingQuestion[]>('pending', {})).toEqual([])
  expect(await next.call('getSession', { sessionId: id })).toMatchObject({ status: 'interrupted' })
})

test('a hub with idle exit ends when nobody needs it, and nothing is lost by it', async () => {
  const place = await hubPlace({ scenario: asks })
  const hub = await place.start('--exit-when-idle', '1')
  const { id } = await waiting(place, hub)
  const [question] = await hub.call<PendingQuestion[]>('pending', { sessionId: id })
  await hub.call('answer', { approvalId: question?.id, answers: ['deny'] })
  expect(await hub.ended).toBe(0)
  const again = await place.start()
  expect((await again.call<Session>('getSession', { sessionId: id })).status).toBe('done')
})

test('R19: a port that is taken is reported in one sentence, and nothing stays behind', async () => {
  const place = await hubPlace()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  expect(await refusal(place, ['--port', port], FAILED)).toContain(`Port ${port} of 127.0.0.1 is taken`)
  other.close()
  await place.start('--port', port)
})

test('R19: a configuration that cannot be read is reported in one sentence, with what is wrong in it', async () => {
  const place = await hubPlace()
  await mkdir(place.home, { mode: 0o700 })
  const path = join(place.home, 'config.json')
  for (const [written, sentence] of [
    ['{', 'it is not JSON.'],
    ['[]', 'it must be an object.'],
    ['{"on_qestion": "x"}', 'there is no setting on_qestion'],
    ['{"keep_days": -1}', 'keep_days must be a whole number of days, or 0 to keep everything.'],
    ['{"scopes": {"a": ["everything"]}}', 'scopes.a.0: scopes must be lists of transcripts and bypass'],
    ['{"trusted": ["here"]}', 'trusted must be a list of full paths.'],
    ['{"on_question": "http://evil.example/"}', 'on_question must be a command, an https URL'],
  ] as const) {
    await writeFile(path, written, { mode: 0o600 })
    expect(await refusal(place)).toContain(`${path}: ${sentence}`)
  }
})

test.each([
  ['--port', 'x'],
  ['--port', '65536'],
  ['--exit-when-idle', '0'],
  ['--hoem', 'x'],
])('R19: %s %s is reported in one sentence', async (...args) => {
  const place = await hubPlace()
  expect(await refusal(place, args)).toContain(args[0])
})

test.each([
  ['MAX_SESSIONS', '0'],
  ['PERMISSION_TIMEOUT_MS', 'soon'],
  ['LOG_LEVEL', 'loud'],
  ['PLEXUS_PORT', '-1'],
  ['PLEXUS_CARRIER', 'pigeon'],
])('R19: %s=%s is reported in one sentence', async (name, value) => {
  const place = await hubPlace({ env: { [name]: value } })
  expect(await refusal(place)).toContain(`${name} must be`)
})

test('R19: a database of a newer version is reported in one sentence, and stays as it is', async () => {
  const place = await hubPlace()
  await mkdir(place.home, { mode: 0o700 })
  const path = join(place.home, 'plexus.db')
  await (await openSqliteStore(path, { migrations: [...MIGRATIONS, 'CREATE TABLE newer (x)'] })).close()
  expect(await refusal(place)).toMatch(/was written by a newer Plexus/)
})

test('R19: without a CLI the hub starts, and each start says what is missing', async () => {
  const place = await hubPlace({ env: { CLAUDE_CODE_PATH: '/no/such/claude' } })
  const hub = await place.start()
  const { id } = await hub.call<Session>('createSession', { options: { workingDirectory: place.project } })
  await expect(hub.call('startTurn', { sessionId: id, content: 'go' })).rejects.toMatchObject({
    code: 'cli_missing',
    message: expect.stringContaining('/no/such/claude does not exist'),
  })
})

const WRONG_USAGE = 2
const FAILED = 1

/** The one sentence of a hub that does not start. */
async function refusal(
  place: HubPlace,
  args: readonly string[] = [],
  exitCode = WRONG_USAGE,
): Promise<string> {
  place.stderr = place.stdout = ''
  expect(await place.launch(...args).ended).toBe(exitCode)
  expect(place.stderr).toMatch(/^plexus: [^\n]+\n$/)
  expect(place.stdout).toBe('')
  return place.stderr
}
