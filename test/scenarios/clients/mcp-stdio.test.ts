import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { identityOf } from '../../../src/system/process-identity.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { type McpClient, stdioClient } from '../../rig/clients/mcp-clients.ts'
import { McpProcess, startMcp } from '../../rig/clients/mcp-process.ts'

const ASKS = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }

async function begun(place: HubPlace, client: McpClient, more: object = {}): Promise<string> {
  const input = { prompt: 'make it', workingDirectory: place.project, ...more }
  const { sessionId } = await client.call<StatusView>('claude_start', input)
  place.sessions.add(sessionId)
  return sessionId
}

describe('the hub', () => {
  test('is not needed to know what tools there are', async () => {
    const place = await hubPlace()
    for (const kind of ['sdk 1', '2026'] as const)
      expect(await (await stdioClient(kind, place)).tools()).toHaveLength(6)
    expect(existsSync(place.home)).toBe(false)
  })

  test('is the one that runs', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const hub = await place.start()
    const client = await stdioClient('2025', place)
    const sessionId = await begun(place, client)
    expect(await place.running()).toMatchObject({ pid: hub.pid })
    expect(await hub.call('getSession', { sessionId })).toMatchObject({ id: sessionId, owner: 'operator' })
  })

  test('is started in the background, stays when its client goes, and serves the next', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const first = await stdioClient('2025', place)
    const sessionId = await begun(place, first)
    const hub = await place.running()
    expect(hub?.pid).toBeGreaterThan(0)
    expect((await stat(join(place.home, 'hub.log'))).mode & 0o777).toBe(0o600)
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(hub?.pid)], { encoding: 'utf8' })
    expect(Number(group)).toBe(hub?.pid)
    await first.close()
    await eventually(async () => expect(await identityOf(first.pid)).toBeUndefined())
    const second = await stdioClient('2026', place)
    expect(await second.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
    expect(await place.running()).toEqual(hub)
  })

  test('is one, when two clients need one at once', async () => {
    const place = await hubPlace()
    const both = [await stdioClient('2025', place), await stdioClient('2026', place)]
    const started = await Promise.all(both.map((client) => begun(place, client)))
    for (const client of both)
      for (const sessionId of started)
        expect(await client.call('claude_status', { sessionId, waitSeconds: 0 })).toMatchObject({ sessionId })
  })

  test('takes any free port where the usual one is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const port = String((taken.address() as { port: number }).port)
    const place = await hubPlace({ env: { PLEXUS_PORT: port } })
    await (await stdioClient('2025', place)).call('claude_list')
    const { url = '' } = (await place.running()) ?? {}
    expect(new URL(url).port).not.toBe(port)
  })
})

test('standalone, it is in the same process; what it began continues with the next one', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const alone = await stdioClient('2025', place, '--standalone')
  const sessionId = await begun(place, alone)
  expect(await place.running()).toMatchObject({ pid: alone.pid })
  expect(await alone.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
  await alone.close()
  await eventually(async () => expect(await identityOf(alone.pid)).toBeUndefined())
  expect(existsSync(join(place.home, 'hub.json'))).toBe(false)
  const next = await stdioClient('2025', place, '--standalone')
  const { pendingQuestion } = await next.call<StatusView>('claude_status', { sessionId })
  await next.call('claude_respond', { sessionId, id: pendingQuestion?.id, answers: ['allow'] })
  expect(await next.call('claude_status', { sessionId })).toMatchObject({
    status: 'done',
    result: 'It is made.',
  })
})

test('standalone, its own calls need no socket', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const alone = await stdioClient('2025', place, '--standalone')
  const sessionId = await begun(place, alone)
  await rm(join(place.home, 'hub.sock'))
  const { pendingQuestion } = await alone.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
  await alone.call('claude_respond', { sessionId, id: pendingQuestion?.id, answers: ['allow'] })
  expect(await alone.call('claude_status', { sessionId, waitSeconds: 50 })).toMatchObject({ status: 'done' })
})

test('standalone, two at once share what one of them runs; when that one goes, the other runs its own', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const both = [
    await stdioClient('2025', place, '--standalone'),
    await stdioClient('2026', place, '--standalone'),
  ]
  const [sessionId] = await Promise.all(both.map((client) => begun(place, client)))
  const runs = (await place.running())?.pid
  const [owner, other] = both[0]?.pid === runs ? both : both.toReversed()
  expect(owner?.pid).toBe(runs)
  await owner?.close()
  await eventually(async () => expect(await place.running()).toBeUndefined())
  expect(await other?.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
  expect((await place.running())?.pid).toBe(other?.pid)
})

describe('--tools', () => {
  test.each([
    ['claude', true],
    ['plexus', false],
    ['all', true],
  ])('%s says which there are', async (toolset, six) => {
    const client = await stdioClient('2025', await hubPlace(), '--tools', toolset)
    const names = (await client.tools()).map(({ name }) => name)
    expect(names.includes('claude_start')).toBe(six)
    const told = await client.call('claude_list').catch((error: unknown) => String(error))
    const refused = expect.stringContaining('There is no tool claude_list here.') as string
    expect(told).toEqual(six ? { sessions: [] } : refused)
  })

  test.each([
    ['--tools', '--tools must be claude, plexus or all.'],
    ['--ask', '--ask must be model, person or both.'],
  ])('and what is wrong with %s is a sentence at once', async (flag, sentence) => {
    const started = new McpProcess(await hubPlace(), [flag, 'some'])
    expect(await started.ended).toBe(2)
    expect(started.stderr).toBe(`plexus: ${sentence}\n`)
  })
})

describe('a model that acts for the operator', () => {
  // With it the CLI goes without questions also where everything runs as root.
  const bypassing = { env: { IS_SANDBOX: '1' } }

  test('S16: may bypass nothing, unless that was allowed', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const plain = await stdioClient('2025', place)
    await expect(begun(place, plain, bypassing)).rejects.toMatchObject({ code: 'forbidden' })
    const allowed = await stdioClient('2025', place, '--allow-bypass')
    const sessionId = await begun(place, allowed, bypassing)
    expect(await allowed.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
    const onward = { sessionId, message: 'go on', permissionMode: 'bypassPermissions', waitSeconds: 50 }
    expect(await allowed.call('claude_say', onward)).toMatchObject({
      status: 'done',
      permissionMode: 'bypassPermissions',
    })
  })

  test('S17: is no person, whatever it was allowed', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const client = await stdioClient('2025', place, '--allow-bypass')
    const sessionId = await begun(place, client, { answerers: 'person' })
    const { pendingQuestion } = await client.call<StatusView>('claude_status', { sessionId })
    const answer = { sessionId, id: pendingQuestion?.id, answers: ['allow'] }
    await expect(client.call('claude_respond', answer)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('--as', () => {
  test('R5: a client has a token of its own, sees the sessions that it started, and finds them again; what is asked when it was killed another answers', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const editor = await stdioClient('2025', place, '--as', 'editor')
    const sessionId = await begun(place, editor)
    const file = join(place.home, 'clients/editor.token')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const look = { sessionId, waitSeconds: 0 }
    process.kill(editor.pid, 'SIGKILL')
    const other = await stdioClient('2025', place, '--as', 'other')
    await expect(other.call('claude_status', look)).rejects.toMatchObject({ code: 'not_found' })
    expect(await other.call('claude_list')).toMatchObject({ sessions: [] })
    const again = await stdioClient('2026', place, '--as', 'editor')
    expect(await again.call('claude_status', look)).toMatchObject({ sessionId })
    const operator = await stdioClient('2025', place)
    const { pendingQuestion } = await operator.call<StatusView>('claude_status', { sessionId })
    expect(await identityOf(editor.pid)).toBeUndefined()
    const answer = { sessionId, id: pendingQuestion?.id, answers: ['allow'] }
    expect(await operator.call('claude_respond', answer)).toMatchObject({
      decision: 'allowed',
      by: 'operator',
    })
    expect(await again.call('claude_status', { sessionId })).toMatchObject({ result: 'It is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
  })

  test.each(['--standalone', '--tools=all'])(
    'S16: a client has no scope that it was not given, with --allow-bypass and %s too',
    async (more) => {
      const place = await hubPlace({ scenario: ASKS })
      const client = await stdioClient('2025', place, '--as', 'editor', '--allow-bypass', more)
      const refused = begun(place, client, { env: { COLOUR: 'blue' } })
      await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    },
  )

  test('S17: where a person is wanted, a client says when one has answered', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const hub = await place.start()
    const client = await stdioClient('2025', place, '--as', 'editor')
    const sessionId = await begun(place, client, { answerers: 'person' })
    const { pendingQuestion } = await client.call<StatusView>('claude_status', { sessionId })
    const token = await readFile(join(place.home, 'clients/editor.token'), 'utf8')
    const answer = { approvalId: pendingQuestion?.id, answers: ['allow'] }
    const by = (headers: Record<string, string>) =>
      hub.call('answer', answer, { authorization: `Bearer ${token.trim()}`, ...headers })
    await expect(by({})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(by({ 'x-plexus-person': '1', 'x-plexus-model': '1' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await by({ 'x-plexus-person': '1' })).toMatchObject({ status: 'allowed' })
  })

  test.each(['../operator', '', '.hidden', 'a b', 'x'.repeat(65)])('%j is no name', async (name) => {
    const place = await hubPlace()
    const started = new McpProcess(place, [`--as=${name}`])
    expect(await started.ended).toBe(2)
    expect(started.stderr).toMatch(/^plexus: --as must be a name .*\n$/)
  })
})

test('a session that names no folder works where its client is', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const mcp = await startMcp(place)
  const { sessionId } = await mcp.call<StatusView>('claude_start', { prompt: 'make it' })
  place.sessions.add(sessionId)
  for (const input of [{}, { workingDirectory: '.' }, { workingDirectory: `${place.project}/` }]) {
    const listed = await mcp.call<{ sessions: object[]; note: string }>('claude_list', input)
    expect(listed.sessions).toMatchObject([{ projectDirectory: place.project }])
    expect(listed.note).toContain('not instructions')
  }
})
