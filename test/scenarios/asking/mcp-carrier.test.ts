import { randomUUID } from 'node:crypto'
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { CallContext } from '../../../src/engine/engine.ts'
import { accessOf, eras, permitClient } from '../../rig/cli/permit-client.ts'
import { operator, type Sessions, type Setting, startSessions } from '../../rig/hubs/sessions.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

// What is the same with both carriers is in approvals.test.ts.

const bash = (command: string) => tools(use('Bash', { command }))
const start = (scenario: Setting['scenario'], permit = {}) =>
  startSessions({ store: 'sqlite', carrier: 'mcp', scenario, permit })
const call = (toolUseId: string, command = 'touch raw') => ({
  name: 'loopback_permit',
  arguments: { tool_name: 'Bash', input: { command }, tool_use_id: toolUseId },
})
/** A step of a scripted child. */
const status = (state: string) => ({
  answer: 'mcp_status',
  with: { mcpServers: [{ name: 'plexus', status: state }] },
})
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A child that waits in a question of its own, for as long as the test lasts. */
async function waitingChild(permit = {}): Promise<Sessions & { id: string }> {
  const all = await start({ main: [bash('touch own'), say('well')] }, permit)
  const { id } = await all.start('go')
  await all.question(id)
  return Object.assign(all, { id })
}

async function openedBy(all: Sessions & { id: string }, toolUseId: string) {
  for (let nth = 2; ; nth++) {
    const opened = await all.event(all.id, 'approval.opened', nth)
    if (opened.toolUseId === toolUseId) return opened
  }
}

describe.each(eras)('S2: the token of a child, as a client of the %s era', (era) => {
  test('S2: lists and calls loopback_permit and nothing else', async () => {
    const all = await waitingChild()
    const client = await permitClient(await accessOf(all), era)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['loopback_permit'])
    for (const name of ['claude_start', 'claude_respond', 'loopback_respond', 'constructor'])
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow('There is no tool')
    await expect(client.request({ method: 'resources/list', params: {} })).rejects.toThrow('not')
    const { name, arguments: right } = call('toolu_raw')
    for (const wrong of [{}, { ...right, session_id: randomUUID() }, { ...right, input: 'touch' }]) {
      expect(await client.callTool({ name, arguments: wrong })).toMatchObject({ isError: true })
    }
    expect(await all.engine.pending(operator, {})).toHaveLength(1)
  })

  test('R15: the same question asked twice is one approval, and whoever asked last gets the answer', async () => {
    const all = await waitingChild()
    const client = await permitClient(await accessOf(all), era)
    const first = client.callTool(call('toolu_raw'))
    const { approvalId } = await openedBy(all, 'toolu_raw')
    const second = client.callTool(call('toolu_raw'))
    expect(await first).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('again') as string }],
    })
    expect(await all.engine.pending(operator, {})).toHaveLength(2)
    await all.engine.answer(operator, { approvalId, answers: ['allow'] })
    const decision = { behavior: 'allow', updatedInput: { command: 'touch raw' } }
    expect((await second).content).toEqual([{ type: 'text', text: JSON.stringify(decision) }])
    // Settled and not yet carried out: an asker who comes back is told the same, and another input is another question.
    expect((await client.callTool(call('toolu_raw'))).content).toEqual((await second).content)
    void client.callTool(call('toolu_raw', 'touch other')).catch(() => {})
    await all.event(all.id, 'approval.opened', 3)
  })

  test('R16: when the asker cancels or its connection drops, the question is withdrawn and a later answer gets an error', async () => {
    const all = await waitingChild()
    const client = await permitClient(await accessOf(all), era)
    const cancel = new AbortController()
    const ways = [
      ['toolu_cancel', () => cancel.abort()],
      ['toolu_drop', () => void client.close()],
    ] as const
    for (const [nth, [toolUseId, goAway]] of ways.entries()) {
      const options = nth === 0 ? { signal: cancel.signal } : {}
      const asking = client.callTool(call(toolUseId), options).catch(() => 'gone')
      const { approvalId } = await openedBy(all, toolUseId)
      goAway()
      expect(await asking).toBe('gone')
      const settled = await all.event(all.id, 'approval.settled', nth + 1)
      expect(settled).toMatchObject({ approvalId, status: 'withdrawn' })
      const late = all.engine.answer(operator, { approvalId, answers: ['allow'] })
      await expect(late).rejects.toThrow('withdrawn')
    }
    expect(await all.engine.pending(operator, {})).toHaveLength(1)
  })

  test('while it waits it says so, and never falls silent', async () => {
    const all = await waitingChild({ progressMs: 20 })
    const client = await permitClient(await accessOf(all), era)
    const heard: number[] = []
    let asking: ReturnType<typeof client.callTool> | undefined
    await new Promise<void>((resolve) => {
      const onprogress = ({ progress }: { progress: number }) => {
        if (heard.push(progress) === 3) resolve()
      }
      asking = client.callTool(call('toolu_raw'), { onprogress })
    })
    const { approvalId } = await openedBy(all, 'toolu_raw')
    await all.engine.answer(operator, { approvalId, answers: ['deny'], message: 'not now' })
    const text = JSON.stringify({ behavior: 'deny', message: 'not now' })
    expect((await asking)?.content).toEqual([{ type: 'text', text }])
    expect(heard.slice(0, 3)).toEqual([0, 1, 2])
  })
})

test('S2: the token is in a private file, ends with the run, and answers nothing', async () => {
  const all = await waitingChild()
  const { url, headers, path } = await accessOf(all)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const post = (authorization: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(list),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...authorization,
      },
    })
  expect(await post(headers)).toMatchObject({ status: 200 })
  for (const wrong of [{}, { Authorization: 'Bearer wrong' }])
    expect(await post(wrong)).toMatchObject({ status: 401 })
  const caller = await all.store.callers.byName('session', all.id)
  if (!caller) throw new Error('no caller')
  const child: CallContext = { caller: { ...caller, person: false } }
  const { id: approvalId } = await all.question(all.id)
  await expect(all.engine.answer(child, { approvalId, answers: ['allow'] })).rejects.toMatchObject({
    code: 'forbidden',
  })
  const asked = { toolName: 'Bash', input: {}, toolUseId: 'x' }
  await expect(all.engine.ask(operator, asked, new AbortController().signal)).rejects.toMatchObject({
    code: 'forbidden',
  })
  await all.engine.stopSession(operator, { sessionId: all.id })
  expect(await post(headers)).toMatchObject({ status: 401 })
  expect(await exists(path)).toBe(false)
  await expect(all.engine.answer(operator, { approvalId, answers: ['allow'] })).rejects.toThrow('withdrawn')
  expect(await exists(join(all.project, 'own'))).toBe(false)
})

test('a sub-agent asks, and the question says which one', async () => {
  const agent = use('Agent', { description: 'd', prompt: 'AGENT go', subagent_type: 'general-purpose' })
  const all = await start({
    main: [tools(agent), say('main done'), say('told')],
    agents: { AGENT: [bash('touch agent'), say('agent done')] },
  })
  const { id } = await all.start('go')
  const asked = await all.event(id, 'approval.opened')
  expect(asked).toMatchObject({ carrier: 'mcp', toolName: 'Bash', agentId: expect.any(String) as string })
  await all.engine.answer(operator, { approvalId: asked.approvalId, answers: ['allow'] })
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
  expect(await exists(join(all.project, 'agent'))).toBe(true)
})

test('a session continues in the next process, with a token of its own', async () => {
  const all = await start({ main: [bash('touch a'), say('one'), bash('touch b'), say('two')] })
  const { id } = await all.start('go')
  all.allowAll(id)
  await all.settled(id)
  const first = await accessOf(all)
  await all.engine.stopSession(operator, { sessionId: id })
  await all.engine.startTurn(operator, { sessionId: id, content: 'go on' })
  await all.event(id, 'turn.started', 2)
  const second = await accessOf(all)
  expect(second.headers).not.toEqual(first.headers)
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
  expect(await exists(join(all.project, 'b'))).toBe(true)
})

test('the first prompt waits until the child can ask', async () => {
  const init = { line: { type: 'system', subtype: 'init', session_id: 'a' } }
  const result = { line: { type: 'result', subtype: 'success', is_error: false, result: 'fine' } }
  const script = [status('pending'), status('connected'), { await: '"go"' }, init, result]
  const session = await supervise({ script, options: { carrier: 'mcp' } })
  await session.event('turn.ended')
  const said = (await readFile(`${session.spec.env['SCRIPT']}.stdin`, 'utf8')).trim().split('\n')
  const kinds = said.map((line) => /initialize|mcp_status|"go"/.exec(line)?.[0])
  expect(kinds).toEqual(['initialize', 'mcp_status', 'mcp_status', '"go"'])
})

test('without a hub to ask at it says so', async () => {
  const all = await startSessions({ store: 'memory', scenario: { main: [] } })
  await expect(all.start('go', { carrier: 'mcp' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('control') as string,
  })
})
