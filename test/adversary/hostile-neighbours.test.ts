import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import type { PermitConfig } from '../../src/sessions/launch/outside-command.ts'
import { createRemoteEngine } from '../../src/hub-client/remote-engine.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { prepareHome } from '../../src/hub/home-folder.ts'
import type { Page } from '../../src/sessions/record/read-events.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { ME } from '../rig/hubs/engines.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import { connected, startPipedCliIn } from '../rig/cli/piped-cli.ts'
import { isFull } from '../rig/cli/real-cli.ts'
import { tokenOf } from '../rig/hubs/session-token.ts'
import { asStranger, hasStranger, squatOn } from '../rig/tools/stranger.ts'

const touch = (name: string) => tools(use('Bash', { command: `touch ${name}` }))
const list = tools(use('mcp__plexus__claude_list', {}))

async function begin(place: HubPlace, hub: Hub, options: object): Promise<string> {
  const { id } = await hub.call<Session>('createSession', {
    options: { workingDirectory: place.project, ...options },
  })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  return id
}

async function question(hub: Hub, sessionId: string): Promise<PendingQuestion> {
  return eventually(async () => {
    const [pending] = await hub.call<PendingQuestion[]>('pending', { sessionId })
    return pending ?? Promise.reject(new Error('Nothing is asked.'))
  })
}

async function eventsOf(hub: Hub, sessionId: string): Promise<SessionEvent[]> {
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  return events.map(({ event }) => event)
}

/** What a token opens at a hub, shown by one of our own processes. */
async function statusWith(hub: Hub, token: string, path = '/mcp/child'): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await fetch(`${hub.url}${path}`, { method: 'POST', headers, body: '{}' })).status
}

const statusOf = (hub: Hub, sessionId: string, status: string) =>
  eventually(async () => {
    const session = await hub.call<Session>('getSession', { sessionId })
    expect(session.status).toBe(status)
    return session
  })

test('S19: a child that asks by calls is ended by the next hub when somebody else has the port, and asks nobody else', async () => {
  const place = await hubPlace({ scenario: { main: [touch('one'), touch('two'), say('done')] } })
  const hub = await place.start()
  const id = await begin(place, hub, { carrier: 'mcp' })
  await question(hub, id)
  const { token } = await tokenOf(place, hub, id)
  await hub.kill('SIGKILL')
  const squatter = await squatOn(hub.port)
  const next = await place.start()
  expect(next.port).not.toBe(hub.port)
  const { error } = await statusOf(next, id, 'failed')
  expect(error?.message).toMatch(/at another address .* Send a prompt to continue\.$/)
  expect(await statusWith(next, token)).toBe(401)
  await next.call('startTurn', { sessionId: id, content: 'again' })
  const { id: approvalId } = await question(next, id)
  await next.call('answer', { approvalId, answers: ['deny'] })
  await statusOf(next, id, 'done')
  expect(squatter.heard.filter(({ rpc }) => rpc === 'tools/call')).toEqual([])
  expect(await readdir(place.project)).toEqual([])
})

test.runIf(isFull)(
  'S19: what the child was about to ask when there was no hub reaches nobody who has the port meanwhile',
  async () => {
    const place = await hubPlace({
      scenario: { main: [touch('one'), { ...touch('two'), delayMs: 1_500 }, say('done')] },
    })
    const hub = await place.start()
    const id = await begin(place, hub, { carrier: 'mcp' })
    const { id: approvalId } = await question(hub, id)
    const { file } = await tokenOf(place, hub, id)
    await hub.call('answer', { approvalId, answers: ['allow'] })
    await eventually(() => expect(existsSync(join(place.project, 'one'))).toBe(true))
    await hub.kill('SIGKILL')
    const squatter = await squatOn(hub.port)
    const stdout = join(file, '../stdout')
    await eventually(async () =>
      expect((await readFile(stdout, 'utf8')).match(/"subtype":"hook_callback"/g)).toHaveLength(2),
    )
    const next = await place.start()
    await statusOf(next, id, 'failed')
    expect(squatter.heard.filter(({ rpc }) => rpc === 'tools/call')).toEqual([])
    expect(await readdir(place.project)).toEqual(['one'])
  },
)

test('S19: a nested child continues without sessions below it, reports it, and calls nobody else for them', async () => {
  const place = await hubPlace({ scenario: { main: [touch('one'), list, say('done'), list, say('well')] } })
  const hub = await place.start()
  const id = await begin(place, hub, { nested: true })
  const { id: approvalId } = await question(hub, id)
  const { token } = await tokenOf(place, hub, id)
  await hub.kill('SIGKILL')
  const squatter = await squatOn(hub.port)
  const next = await place.start()
  expect(next.port).not.toBe(hub.port)
  expect(await statusWith(next, token)).toBe(401)
  await next.call('answer', { approvalId, answers: ['allow'] })
  await statusOf(next, id, 'done')
  const events = await eventsOf(next, id)
  expect(events.find(({ type }) => type === 'nesting.ended')).toMatchObject({
    reason: expect.stringMatching(/no sessions below it/) as string,
  })
  expect(events.filter(({ type }) => type === 'tool.refused')).toMatchObject([
    { toolName: 'mcp__plexus__claude_list' },
  ])
  expect(events.filter(({ type }) => type === 'tool.unasked')).toEqual([])
  expect(squatter.heard).toEqual([])
  expect(await readdir(place.project)).toEqual(['one'])
  // The next process has a way to us again.
  await next.call('stopSession', { sessionId: id })
  await next.call('startTurn', { sessionId: id, content: 'more' })
  await eventually(async () => {
    const finished = (await eventsOf(next, id)).filter(({ type }) => type === 'tool.finished')
    expect(finished).toMatchObject([{}, { isError: true }, { isError: false }])
  })
})

test('S19: a claude from outside asks the next hub, wherever it listens, and nobody on the port of the last one', async () => {
  const place = await hubPlace({ scenario: { main: [touch('one'), say('done')] } })
  const hub = await place.start()
  await hub.call<Session>('createSession', { options: { name: 'outside', carrier: 'mcp' } })
  const { mcpConfig, args } = await hub.call<PermitConfig>('permitConfig', { sessionId: 'outside' })
  expect(JSON.stringify(mcpConfig)).not.toContain('http')
  const file = join(place.folder, 'mcp.json')
  await writeFile(file, JSON.stringify(mcpConfig), { mode: 0o600 })
  const there = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(there, place.model.url, `--mcp-config=${file}`, ...args)
  await connected(cli)
  cli.say('go')
  const { id: approvalId } = await question(hub, 'outside')
  await hub.kill('SIGKILL')
  const squatter = await squatOn(hub.port)
  const next = await place.start()
  expect(next.port).not.toBe(hub.port)
  await next.call('answer', { approvalId, answers: ['allow'] })
  expect(await cli.result()).toMatchObject({ result: 'done' })
  expect(await readdir(place.project)).toEqual(['one'])
  expect(squatter.heard).toEqual([])
})

test.runIf(hasStranger)(
  'S19: the token of a child opens nothing for another user, on the port that it is for',
  async () => {
    const place = await hubPlace({ scenario: { main: [touch('one'), say('done')] } })
    const hub = await place.start()
    const id = await begin(place, hub, { nested: true })
    await question(hub, id)
    const { token } = await tokenOf(place, hub, id)
    const shown = { URL: hub.url, TOKEN: token }
    const curl = 'curl -s -o /dev/null -w "%{http_code}" -H "Authorization: Bearer $TOKEN" -d "{}"'
    const json = '-H "Content-Type: application/json"'
    for (const path of ['/mcp/child', '/rpc', '/mcp'])
      expect([path, await asStranger(`${curl} ${json} "$URL${path}"`, shown)]).toEqual([path, '401'])
    expect(await statusWith(hub, token, '/rpc')).toBe(200)
  },
)

test.runIf(hasStranger)(
  'S19: no token goes to a socket of another user, or through a folder of theirs',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plexus-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o777)
    const home = await asStranger('mkdir -m 755 "$AT/home" && cd "$AT/home" && pwd', { AT: folder })
    await expect(prepareHome(home, undefined)).rejects.toMatchObject({ code: 'forbidden' })
    const squatter = await squatOn(join(home, 'hub.sock'))
    const engine = createRemoteEngine({ find: async () => ({ socket: join(home, 'hub.sock'), token: 'x' }) })
    await expect(engine.listSessions(ME, {})).rejects.toMatchObject({ code: 'forbidden' })
    engine.close()
    expect(squatter.heard).toEqual([])
  },
)

test.runIf(hasStranger)(
  'S19: a home folder that another user has made before the first start is not lived in',
  async () => {
    const place = await hubPlace()
    await chmod(place.folder, 0o777)
    await asStranger('mkdir -m 777 "$AT"', { AT: place.home })
    const launched = place.launch()
    expect(await launched.ended).not.toBe(0)
    expect(place.stderr).toMatch(/belongs to someone else/)
    expect(await readdir(place.home)).toEqual([])
    await asStranger('rmdir "$AT" && ln -s /tmp "$AT"', { AT: place.home })
    expect(await place.launch().ended).not.toBe(0)
    expect(place.stderr).toMatch(/is a link that belongs to someone else/)
  },
)

test.runIf(hasStranger)(
  'S6: another user reads nothing of a home folder, while the hub runs and after it',
  async () => {
    const place = await hubPlace({ scenario: { main: [touch('one'), say('done')] } })
    await chmod(place.folder, 0o755)
    const hub = await place.start()
    const id = await begin(place, hub, { carrier: 'mcp' })
    await question(hub, id)
    const { file } = await tokenOf(place, hub, id)
    const look = () =>
      asStranger(
        'for f in "$H" $FILES; do cat "$f" || ls "$f"; done 2>&1 | grep -v "Permission denied"; true',
        {
          H: place.home,
          FILES: [file, hub.tokenFile, join(place.home, 'plexus.db'), hub.socket].join(' '),
        },
      )
    expect(await look()).toBe('')
    await hub.kill('SIGKILL')
    expect(await look()).toBe('')
  },
)
