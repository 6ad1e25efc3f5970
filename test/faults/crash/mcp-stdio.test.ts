import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { identityOf } from '../../../src/system/process-identity.ts'
import { type Scenario, say, tools, use } from '../../../src/demo/scenario.ts'
import { NEXT_VERSION } from '../../rig/tools/build-programs.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { type Filled, stdioClient, stdioClientWith } from '../../rig/clients/mcp-clients.ts'
import { afterLongPrompt, sendsLongPrompts } from '../../rig/clients/mcp-parent.ts'
import { McpProcess, startMcp } from '../../rig/clients/mcp-process.ts'
import { ALLOW, resolvable } from '../../rig/clients/people.ts'

const ASKS = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }
/** The model thinks until it is interrupted. */
const THINKS: Scenario = { main: [{ hang: true }] }

async function begun(place: HubPlace, mcp: McpProcess, more: object = {}): Promise<string> {
  const { sessionId } = await mcp.call<StatusView>('claude_start', { prompt: 'make it', ...more })
  place.sessions.add(sessionId)
  return sessionId
}

/** Until the session is at work, so that a wait for it has something to wait for. */
async function atWork(hub: Hub): Promise<void> {
  await eventually(async () => {
    const figures = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${hub.token}` } })
    expect(await figures.text()).toMatch(/plexus_sessions\{state="running"\} 1/)
  })
}

describe('when the hub is killed', () => {
  test('the next call starts another, and the session is there', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const mcp = await startMcp(place)
    const sessionId = await begun(place, mcp)
    const before = await place.running()
    process.kill(before?.pid ?? 0, 'SIGKILL')
    await eventually(async () => expect(await place.running()).toBeUndefined())
    const asked = await mcp.call<StatusView>('claude_status', { sessionId })
    expect(asked).toMatchObject({ status: 'awaiting_input' })
    const after = await place.running()
    expect(after?.pid).not.toBe(before?.pid)
    expect(after?.url).toBe(before?.url)
    const id = asked.pendingQuestion?.id
    expect(await mcp.call('claude_respond', { sessionId, id, answers: ['allow'] })).toMatchObject({
      decision: 'allowed',
    })
  })

  test('a form that a person has open stays open, and the next hub gets their answer', async () => {
    const place = await hubPlace({ scenario: ASKS })
    const hub = await place.start()
    const asked = resolvable<void>()
    const answer = resolvable<Filled>()
    const person = () => {
      asked.resolve()
      return answer.promise
    }
    const client = await stdioClientWith('sdk 1', place, { person })
    const { sessionId } = await client.call<StatusView>('claude_start', { prompt: 'make it' })
    place.sessions.add(sessionId)
    await asked.promise
    await hub.kill('SIGKILL')
    await place.start()
    answer.resolve(ALLOW)
    expect(await client.call('claude_status', { sessionId, waitSeconds: 50 })).toMatchObject({
      status: 'done',
      result: 'It is made.',
    })
  })

  test.each(['somebody', 'nobody'])('a wait continues when %s starts another', async (who) => {
    const place = await hubPlace({ scenario: THINKS })
    const hub = await place.start()
    const mcp = await startMcp(place)
    const sessionId = await begun(place, mcp)
    const wait = mcp.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    await atWork(hub)
    // Its turn runs: an interrupt has nothing to end before that.
    await eventually(() => expect(place.model.requests).not.toEqual([]))
    await hub.kill('SIGKILL')
    if (who === 'somebody') await place.start()
    await eventually(async () => expect(await place.running()).toBeTruthy())
    const other = await startMcp(place)
    await other.call('claude_interrupt', { sessionId })
    expect(await wait).toMatchObject({ sessionId, status: 'interrupted' })
  })
})

test('a newer client replaces an older hub; its sessions and its port stay; an older client uses the newer hub', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const old = await startMcp(place)
  const sessionId = await begun(place, old)
  expect(await old.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
  const before = await place.running()
  const next = await new McpProcess(place, [], 'next/plexus').open()
  const asked = await next.call<StatusView>('claude_status', { sessionId })
  expect(asked).toMatchObject({ status: 'awaiting_input' })
  const after = await place.running()
  expect(after).toMatchObject({ version: NEXT_VERSION, url: before?.url })
  expect(await identityOf(before?.pid ?? 0)).toBeUndefined()
  const id = asked.pendingQuestion?.id
  await old.call('claude_respond', { sessionId, id, answers: ['allow'] })
  expect(await old.call('claude_status', { sessionId })).toMatchObject({ result: 'It is made.' })
  expect(await place.running()).toEqual(after)
})

test('a newer client uses an older one that runs standalone: it is not its to end', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const alone = await startMcp(place, '--standalone')
  const sessionId = await begun(place, alone)
  const next = await new McpProcess(place, [], 'next/plexus').open()
  expect(await next.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
  expect(await place.running()).toMatchObject({ pid: alone.process.pid })
})

test('S38: a newer client uses an older hub whose children end with it, for they are not its to end', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const hub = await place.start('--end-children')
  const old = await startMcp(place)
  const sessionId = await begun(place, old)
  expect(await old.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
  // As the first version has left it.
  const path = join(place.home, 'hub.json')
  const { endChildren, ...record } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  expect(endChildren).toBe(true)
  const records =
    process.platform === 'linux' ? [{ ...record, endChildren }, record] : [{ ...record, endChildren }]
  for (const one of records) {
    await writeFile(path, JSON.stringify(one), { mode: 0o600 })
    const next = await new McpProcess(place, [], 'next/plexus').open()
    expect(await next.call('claude_status', { sessionId })).toMatchObject({ status: 'awaiting_input' })
    expect(await place.running()).toMatchObject({ pid: hub.pid })
  }
})

describe('R20: when its client goes', () => {
  test.each([[], ['--standalone']])(
    'it ends in the middle of a wait, and the session lives on %j',
    async (...args) => {
      const place = await hubPlace({ scenario: THINKS })
      const mcp = await startMcp(place, ...args)
      const sessionId = await begun(place, mcp)
      mcp.ask('tools/call', {
        name: 'claude_status',
        arguments: { sessionId, waitSeconds: 50 },
        _meta: { progressToken: 1 },
      })
      expect(await mcp.next()).toMatchObject({ method: 'notifications/progress' })
      mcp.process.stdin.end()
      expect(await mcp.ended).toBe(0)
      const next = await startMcp(place)
      const look = { sessionId, waitSeconds: 0 }
      expect(await next.call('claude_status', look)).toMatchObject({ status: 'active' })
      await next.call('claude_interrupt', { sessionId })
      expect(await next.call('claude_status', { sessionId })).toMatchObject({ status: 'interrupted' })
    },
  )

  test('it ends when nobody reads what it says', async () => {
    const mcp = await startMcp(await hubPlace())
    mcp.process.stdout.destroy()
    mcp.ask('ping')
    expect(await mcp.ended).toBe(0)
  })

  test('it ends in good order when it is asked to', async () => {
    const place = await hubPlace()
    const mcp = await startMcp(place, '--standalone')
    await mcp.call('claude_list')
    mcp.process.kill('SIGTERM')
    expect(await mcp.ended).toBe(0)
    expect(await place.running()).toBeUndefined()
  })
})

test('what makes no sense is answered, and the next message counts', async () => {
  const place = await hubPlace()
  const mcp = new McpProcess(place, [])
  mcp.write('no JSON\n')
  expect(await mcp.next()).toMatchObject({ id: null, error: { code: -32700 } })
  await mcp.open()
  mcp.write('{"half":\n')
  expect(await mcp.next()).toMatchObject({ id: null, error: { code: -32700 } })
  mcp.write('[]\n{"id":7}\n42\n')
  expect(await mcp.next()).toMatchObject({ id: null, error: { code: -32600 } })
  expect(await mcp.next()).toMatchObject({ id: 7, error: { code: -32600 } })
  expect(await mcp.next()).toMatchObject({ id: null, error: { code: -32600 } })
  mcp.write('no JSON\n')
  expect(await mcp.next()).toMatchObject({ id: null, error: { code: -32700 } })
  expect(await mcp.request('no/such', {})).toMatchObject({ error: { code: -32601 } })
  expect(await mcp.request('tools/call', { name: 'claude_say', arguments: { text: 1 } })).toMatchObject({
    result: { isError: true },
  })
  expect(await mcp.call('claude_list')).toEqual({ sessions: [] })
})

describe('sizes', () => {
  test('a prompt of 5 MB reaches the model; what a newer CLI says to it is reported', async () => {
    const place = await hubPlace({ scenario: { main: [say('I have read it.')] } })
    const mcp = await startMcp(place)
    const prompt = 'y'.repeat(5_000_000)
    const sessionId = await begun(place, mcp, { prompt })
    const told = await mcp.call('claude_status', { sessionId, waitSeconds: 50 })
    expect(told).toMatchObject(afterLongPrompt('I have read it.'))
    const read = place.model.requests.some(({ body }) => JSON.stringify(body.messages).includes(prompt))
    expect(read).toBe(sendsLongPrompts())
  })

  test('a tool input of 6 MB is shown as far as a client takes it, and what they make of it reaches the tool', async () => {
    const content = 'x'.repeat(6_000_000)
    const place = await hubPlace({
      scenario: { main: [tools(use('Write', { file_path: 'large.txt', content })), say('It is written.')] },
    })
    // One that nobody here wrote: it closes its connection over 10 MB, and a result has everything twice.
    const mcp = await stdioClient('sdk 1', place)
    const { sessionId } = await mcp.call<StatusView>('claude_start', { prompt: 'make it' })
    place.sessions.add(sessionId)
    const full = { sessionId, waitSeconds: 50, fullInput: true }
    const [text = '', note] = await mcp.texts('claude_status', full)
    const { pendingQuestion } = JSON.parse(text) as StatusView
    expect(String(pendingQuestion?.input['content'])).toMatch(
      /^x{1000000,}\n\[… \d+ characters are not shown …\]\nx+$/,
    )
    expect(note).toContain('POST /rpc with the method claude_status')
    const file = join(place.project, 'large.txt')
    const updatedInput = { file_path: file, content: content.replaceAll('x', 'z') }
    const answer = { sessionId, id: pendingQuestion?.id, answers: ['allow'], updatedInput }
    await mcp.call('claude_respond', answer)
    expect(await mcp.call('claude_status', { sessionId, waitSeconds: 50 })).toMatchObject({ status: 'done' })
    expect((await readFile(file, 'utf8')) === updatedInput.content).toBe(true)
  }, 120_000)
})

test('R19: a hub that does not start is reported with its own last words', async () => {
  const place = await hubPlace()
  await mkdir(place.home, { mode: 0o700 })
  await writeFile(join(place.home, 'config.json'), '{ "on_qestion": "x" }', { mode: 0o600 })
  const mcp = await startMcp(place)
  const { result } = await mcp.request('tools/call', { name: 'claude_list', arguments: {} })
  expect(JSON.stringify(result)).toMatch(/The hub did not come up; it said: plexus: .*no setting on_qestion/)
  await writeFile(join(place.home, 'config.json'), '{}')
  expect(await mcp.call('claude_list')).toEqual({ sessions: [] })
})

test('R19: an invalid environment is reported to the caller of a tool', async () => {
  const place = await hubPlace({ env: { MAX_SESSIONS: 'many' } })
  const mcp = await startMcp(place)
  const { result } = await mcp.request('tools/call', { name: 'claude_list', arguments: {} })
  expect(JSON.stringify(result)).toContain('MAX_SESSIONS must be a whole number')
})
