import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/operations.ts'
import { toolNameOf } from '../../../src/api/operation/operation.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { VERB_INPUTS } from '../../../src/engine/verbs.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { httpClient, type McpClient } from '../../rig/clients/mcp-clients.ts'
import { tokenOf } from '../../rig/hubs/session-token.ts'

const TOUCH = { main: [tools(use('Bash', { command: 'touch own' })), say('well')] }

interface Child {
  readonly id: string
  readonly question: PendingQuestion
  readonly token: string
  readonly file: string
  readonly client: McpClient
}

/** A child that waits in a question of its own, and its token in other hands. */
async function aChild(place: HubPlace, hub: Hub, options: object): Promise<Child> {
  const { id } = await hub.call<Session>('createSession', {
    options: { workingDirectory: place.project, ...options },
  })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  const [question] = await hub.call<PendingQuestion[]>('pending', { sessionId: id })
  if (!question) throw new Error('Nothing is asked.')
  const { token, file } = await tokenOf(place, hub, id)
  return { id, question, token, file, client: await httpClient('2026', { url: hub.url, token }) }
}

const namesOf = async ({ client }: Child) => (await client.tools()).map(({ name }) => name)

describe.each(['control', 'mcp'])('S2: with the carrier %s', (carrier) => {
  test('the token of a nested child lists loopback_permit and what it needs for sessions below it, in a private file', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const child = await aChild(place, hub, { nested: true, carrier })
    expect(child.question).toMatchObject({ carrier })
    expect(await namesOf(child)).toEqual(['loopback_permit', ...OPERATIONS.map(toolNameOf)])
    expect((await stat(child.file)).mode & 0o777).toBe(0o600)
    const { sessionId } = await child.client.call<{ sessionId: string }>('claude_start', { prompt: 'go' })
    place.sessions.add(sessionId)
    expect(await hub.call('getSession', { sessionId })).toMatchObject({ parentId: child.id })
    const { sessions } = await child.client.call<{ sessions: object[] }>('claude_list')
    expect(sessions).toMatchObject([{ sessionId }])
    const headers = { authorization: `Bearer ${child.token}` }
    expect(await hub.call('listSessions', {}, headers)).toMatchObject([{ id: sessionId }])
    expect(await fetch(`${hub.url}/metrics`, { headers })).toMatchObject({ status: 403 })
  })
})

/** An error, which in the second family is a result. */
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    (told) => (told as { type?: string; code?: string } | null)?.code ?? 'done',
    (error: { code: string }) => error.code,
  )

test('S2: without nested it asks, over MCP and over RPC, and is refused everything else everywhere', async () => {
  const place = await hubPlace({ scenario: TOUCH })
  const hub = await place.start()
  const child = await aChild(place, hub, { carrier: 'mcp' })
  expect(await namesOf(child)).toEqual(['loopback_permit'])
  const headers = { authorization: `Bearer ${child.token}` }
  // The hook of plexus run has its calls judged with such a token; any other child is refused there too, but after its input is read.
  const verbs = Object.keys(VERB_INPUTS).filter((name) => name !== 'judgeCall')
  const methods = [...verbs, ...OPERATIONS.map(({ name }) => name), 'nonsense']
  const outcomes = methods.map((method) => outcomeOf(hub.call(method, {}, headers)))
  expect(await Promise.all(outcomes)).toEqual(methods.map(() => 'forbidden'))
  for (const path of ['/metrics', `/events?session=${child.id}`])
    expect(await fetch(`${hub.url}${path}`, { headers })).toMatchObject({ status: 403 })
  await expect(child.client.call('claude_list')).rejects.toThrow('There is no tool claude_list here')

  const asked = { tool_name: 'Bash', input: { command: 'touch other' }, tool_use_id: 'toolu_other' }
  await expect(hub.call('loopback.permit', asked)).rejects.toMatchObject({ code: 'forbidden' })
  const permitted = hub.call('loopback.permit', asked, headers)
  const other = await eventually(async () => {
    const all = await hub.call<PendingQuestion[]>('pending', { sessionId: child.id })
    const found = all.find(({ toolUseId }) => toolUseId === 'toolu_other')
    return found ?? Promise.reject(new Error('It is not asked yet.'))
  })
  await hub.call('answer', { approvalId: other.id, answers: ['allow'] })
  expect(await permitted).toEqual({ behavior: 'allow', updatedInput: asked.input })
})

test('S2: what a nested child may not is refused and logged: to answer itself, a sibling, in the name of another, or after its end', async () => {
  const place = await hubPlace({ scenario: TOUCH, env: { LOG_LEVEL: 'warn' } })
  const hub = await place.start()
  const child = await aChild(place, hub, { nested: true })
  const sibling = await aChild(place, hub, { nested: true })
  const answer = { sessionId: child.id, id: child.question.id, answers: ['allow'] }
  const refusals: [string, Promise<unknown>, string][] = [
    ['claude_respond', child.client.call('claude_respond', answer), 'forbidden'],
    ['loopback.escalate', child.client.call('loopback_escalate', { approval_id: answer.id }), 'forbidden'],
    ['claude_respond', sibling.client.call('claude_respond', answer), 'not_found'],
    ['claude_status', sibling.client.call('claude_status', { sessionId: child.id }), 'not_found'],
    [
      'loopback.permit',
      sibling.client.call('loopback_permit', {
        tool_name: 'Bash',
        input: { command: 'touch other' },
        tool_use_id: 'toolu_x',
        session_id: child.id,
      }),
      'forbidden',
    ],
    ['claude_start', child.client.call('claude_start', { prompt: 'x', workingDirectory: '/' }), 'forbidden'],
  ]
  await Promise.all(refusals.map(([, work, code]) => expect(work).rejects.toMatchObject({ code })))
  expect(await hub.call('pending', {})).toHaveLength(2)
  const logged = () => place.stderr.split('\n').filter((line) => line.includes('A call was refused.'))
  await eventually(() => expect(logged()).toHaveLength(refusals.length))
  for (const [method] of refusals) expect(logged().some((line) => line.includes(method))).toBe(true)

  await hub.call('stopSession', { sessionId: child.id })
  expect(existsSync(child.file)).toBe(false)
  const authorization = `Bearer ${child.token}`
  for (const path of ['/mcp', '/rpc'])
    expect(await fetch(`${hub.url}${path}`, { method: 'POST', headers: { authorization } })).toMatchObject({
      status: 401,
    })
  await eventually(() => expect(place.stderr).toContain('An unknown token was refused.'))
  for (const { token } of [child, sibling]) expect(place.stderr).not.toContain(token)
  expect(existsSync(`${place.project}/own`)).toBe(false)
})

test('with supervise: all even the means of a nested session are asked about', async () => {
  const list = tools(use('mcp__plexus__claude_list', {}))
  const place = await hubPlace({ scenario: { main: [list, say('well')] } })
  const hub = await place.start()
  const child = await aChild(place, hub, { nested: true, supervise: 'all' })
  expect(child.question).toMatchObject({ toolName: 'mcp__plexus__claude_list' })
})

const start = (mcpServers: object) =>
  tools(use('mcp__plexus__claude_start', { prompt: 'BELOW', mcpServers, waitSeconds: 50 }))

test('S22: a nested session reaches no server through one below it that nobody gave to itself', async () => {
  const called: string[] = []
  const server = createServer(({ url = '' }, answer) => {
    called.push(url)
    answer.writeHead(404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const out = (path: string) => ({ type: 'http', url: `http://127.0.0.1:${port}/${path}` })
  const replies = [start({ out: out('secret') }), start({ own: out('secret') }), start({ own: out('own') })]
  const place = await hubPlace({
    scenario: {
      main: ({ body }) =>
        JSON.stringify(body.messages[0]).includes('BELOW') ? say('below') : (replies.shift() ?? say('well')),
    },
  })
  const hub = await place.start()
  const options = { workingDirectory: place.project, nested: true, mcpServers: { own: out('own') } }
  const { id: sessionId } = await hub.call<Session>('createSession', { options })
  place.sessions.add(sessionId)
  await hub.call('startTurn', { sessionId, content: 'go' })
  const sessions = await eventually(async () => {
    const all = await hub.call<Session[]>('listSessions')
    for (const { id } of all) place.sessions.add(id)
    return all.length > 1 ? all : Promise.reject(new Error('There is none below it yet.'))
  }, 60_000)
  expect(sessions.filter(({ parentId }) => parentId === sessionId)).toMatchObject([
    { config: { mcpServers: { own: out('own') } } },
  ])
  const refused = place.model.requests
    .flatMap(({ toolResults }) => toolResults)
    .filter(({ isError }) => isError)
  expect(new Set(refused.map(({ text }) => /the MCP server (\w+)/.exec(text)?.[1]))).toEqual(
    new Set(['out', 'own']),
  )
  expect(called.filter((url) => url.includes('secret'))).toEqual([])
}, 120_000)
