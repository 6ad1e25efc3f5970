/** The Plexus servers that a user has set up for themselves, as their own children would find them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { startMcp } from '../../rig/clients/mcp-process.ts'

const START = { prompt: 'LOWER' }
/** What a child with these servers tries, one after the other: every one of them needs no answer by its user's rules. */
const TRIES = ['mcp__plexus__claude_start', 'mcp__fleet__claude_start', 'mcp__web__claude_start']

const main = ({ body }: ModelRequest) => {
  const said = JSON.stringify(body.messages)
  const next = said.includes('UPPER') ? TRIES[said.split('"tool_result"').length - 1] : undefined
  return next === undefined ? say('tried') : tools(use(next, START))
}

async function aPlace(): Promise<{ place: HubPlace; hub: Hub }> {
  const place = await hubPlace({ scenario: { main }, env: { MCP_CONNECTION_NONBLOCKING: '0' } })
  const hub = await place.start()
  const stdio = { command: process.execPath, args: [programPath('plexus'), 'mcp', '--home', place.home] }
  const web = { type: 'http', url: `${hub.url}/mcp`, headers: { Authorization: `Bearer ${hub.token}` } }
  const config = join(place.folder, 'config')
  await mkdir(config, { recursive: true })
  const mcpServers = { plexus: stdio, fleet: stdio, web }
  await writeFile(join(config, '.claude.json'), JSON.stringify({ mcpServers }))
  const allow = Object.keys(mcpServers).map((name) => `mcp__${name}`)
  await writeFile(join(config, 'settings.json'), JSON.stringify({ permissions: { allow } }))
  return { place, hub }
}

/** What came of each try. */
async function triedBy(place: HubPlace, hub: Hub, options: object): Promise<string[]> {
  const all = { workingDirectory: place.project, ...options }
  const { id: sessionId } = await hub.call<Session>('createSession', { options: all, content: 'UPPER' })
  place.sessions.add(sessionId)
  await hub.call('waitFor', { sessionIds: [sessionId], seconds: 50 })
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  const finished = events.map(({ event }) => event).filter(isFinished)
  return finished.map(({ content, isError }) => `${isError ? 'no: ' : 'yes: '}${content}`)
}

const isFinished = (event: SessionEvent): event is EventOf<'tool.finished'> => event.type === 'tool.finished'

test('S1: a child is not made the operator by the servers of its user, by name, by address or by the process itself', async () => {
  const { place, hub } = await aPlace()
  const [plain, nested] = await Promise.all([triedBy(place, hub, {}), triedBy(place, hub, { nested: true })])
  const none = expect.stringMatching(/^no: .*No such tool available/) as string
  const inside = expect.stringMatching(/^no: .*forbidden.*create a session as nested/) as string
  expect(plain).toEqual([none, inside, none])
  expect(nested).toEqual([expect.stringMatching(/^yes: /), inside, none])
  const sessions = await hub.call<Session[]>('listSessions')
  for (const { id } of sessions) place.sessions.add(id)
  // The one that the nested one has started for itself is below it.
  expect(sessions.filter(({ parentId }) => parentId === undefined)).toHaveLength(2)
  expect(sessions).toHaveLength(3)
})

const INSIDE = /This runs inside session 0a1b, .* create a session as nested/

test('S1: inside a session no command acts for the operator or begins a hub, whatever its flags', async () => {
  const place = await hubPlace({ env: { LOOPBACK_SESSION_ID: '0a1b' } })
  for (const args of [[], ['--standalone', '--as', 'editor']]) {
    const mcp = await startMcp(place, ...args)
    const { result } = await mcp.request('tools/call', { name: 'claude_list', arguments: {} })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(INSIDE) as string }],
    })
  }
  for (const command of ['serve', 'configure']) {
    const { env } = place
    const all = [programPath('plexus'), command, '--home', place.home]
    const { status, stderr } = spawnSync(process.execPath, all, { env, encoding: 'utf8' })
    expect(stderr).toMatch(INSIDE)
    expect(status).not.toBe(0)
  }
  expect(existsSync(place.home)).toBe(false)
})
