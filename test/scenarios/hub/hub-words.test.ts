/** What a hub says of itself: when it stops, and how its sessions run, for who wants to know. */
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { McpProcess } from '../../rig/clients/mcp-process.ts'
import { tokensIn } from '../../rig/tools/token-scan.ts'

const CANARY = 'canary-7f3a'
const ASKS = { main: [tools(use('Bash', { command: `touch ${CANARY}` })), say(`${CANARY} is made.`)] }

test('a client whose variables the hub does not heed is given one sentence, and its time limit holds for what it starts', async () => {
  const place = await hubPlace({ scenario: ASKS, env: { MAX_SESSIONS: '7' } })
  const hub = await place.start()
  Object.assign(place.env, {
    MAX_SESSIONS: '3',
    CLAUDE_CODE_PATH: '/other/claude',
    PERMISSION_TIMEOUT_MS: '61000',
  })
  const client = new McpProcess(place, [])
  await client.request('initialize', OPENING)
  const start = async () => {
    const view = await client.call<StatusView>('claude_start', {
      prompt: 'go',
      workingDirectory: place.project,
    })
    place.sessions.add(view.sessionId)
    return view
  }
  const [first, second] = [await start(), await start()]
  const sentence =
    /^CLAUDE_CODE_PATH, MAX_SESSIONS of this client have no effect, .*; stop that hub, and the next hub takes them\./
  expect(first.hint).toMatch(sentence)
  expect(second.hint).not.toContain('no effect')
  expect(client.stderr.match(/no effect/g)).toHaveLength(1)
  const { timeoutMs } = await hub.call<{ timeoutMs: number }>('getSession', { sessionId: first.sessionId })
  expect(timeoutMs).toBe(61_000)
})

const OPENING = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '0' },
}

async function begin(place: Awaited<ReturnType<typeof hubPlace>>, ...args: string[]) {
  const alone = new McpProcess(place, ['--standalone', ...args])
  await alone.request('initialize', OPENING)
  const start = { prompt: `Make ${CANARY}.`, systemPrompt: CANARY, waitSeconds: 50 }
  const asked = await alone.call<StatusView>('claude_start', { ...start, model: 'opus' })
  place.sessions.add(asked.sessionId)
  expect(asked).toMatchObject({ status: 'awaiting_input' })
  return { alone, ...asked }
}

test('a hub that stops says how many processes stay, for how long, and how to end them; --end-children ends them, standalone too', async () => {
  const place = await hubPlace({ scenario: ASKS })
  const { alone, sessionId } = await begin(place)
  alone.process.stdin.end()
  await alone.ended
  expect(alone.stderr).toMatch(/One session's process stays, for 30 minutes without a hub; .* --end-children/)
  expect(await processesOfSession(sessionId)).not.toEqual([])
  const next = new McpProcess(place, ['--standalone', '--end-children'])
  await next.request('initialize', OPENING)
  await next.call('claude_status', { sessionId, waitSeconds: 0 })
  next.process.stdin.end()
  await next.ended
  expect(next.stderr).not.toContain('stay')
  await eventually(async () => expect(await processesOfSession(sessionId)).toEqual([]))
  const alien = new McpProcess(place, ['--end-children'])
  expect(await alien.ended).not.toBe(0)
  expect(alien.stderr).toMatch(/--end-children needs --standalone/)
})

test('S11: with LOG_LEVEL debug the log has command lines, turns and times, and no word, token or variable', async () => {
  const secret = 'sekret-value-123'
  const place = await hubPlace({ scenario: ASKS, env: { LOG_LEVEL: 'debug', MY_VARIABLE: secret } })
  const { alone, sessionId, pendingQuestion } = await begin(place)
  await alone.call('claude_respond', { sessionId, id: pendingQuestion?.id, answers: ['allow'] })
  expect(await alone.call('claude_status', { sessionId, waitSeconds: 50 })).toMatchObject({ status: 'done' })
  alone.process.stdin.end()
  await alone.ended
  const lines = alone.stderr.split('\n').filter((line) => line.includes('"level":"debug"'))
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown> & { message: string })
  const one = (message: string) => said.find((line) => line.message === message)
  expect(one('A process of Claude Code starts.')).toMatchObject({
    session: sessionId,
    args: expect.arrayContaining(['--model=opus', `--session-id=${sessionId}`, '--settings=…']),
  })
  expect(one('A turn begins.')).toMatchObject({ session: sessionId })
  expect(one('A turn has ended.')).toMatchObject({ outcome: 'done', ms: expect.any(Number) })
  const approval = pendingQuestion?.id
  expect(one('A question was answered.')).toMatchObject({
    approval,
    status: 'allowed',
    ms: expect.any(Number),
  })
  expect(one('The call of a question has come to its end.')).toMatchObject({
    approval,
    ms: expect.any(Number),
  })
  for (const word of [CANARY, secret]) expect(alone.stderr).not.toContain(word)
  expect(await tokensIn(place.home, alone.stderr)).toEqual([])
})
