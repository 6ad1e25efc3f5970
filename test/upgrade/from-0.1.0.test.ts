import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatusView } from '../../src/api/claude/status-view.ts'
import { identityOf, isAlive, type ProcessIdentity } from '../../src/system/process-identity.ts'
import { PROTECTION } from '../../src/child/launch/protection-level.ts'
import { readProcesses, runFolderAt } from '../../src/child/process/run-folder.ts'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import type { StoredEvent } from '../../src/events/event-log.ts'
import type { EventOf, SessionEvent } from '../../src/events/session-event.ts'
import type { Said } from '../../src/sessions/launch/prompt-kinds.ts'
import type { Page } from '../../src/sessions/record/read-events.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { VERSION } from '../../src/base/version.ts'
import { programPath } from '../rig/tools/build-programs.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import type { Polled } from '../rig/clients/loopback.ts'
import { startMcp } from '../rig/clients/mcp-process.ts'
import {
  CLIENT,
  fillHome,
  GRANTED,
  type Name,
  oldHomeScenario,
  READ,
  READER,
  REPLY,
  SESSIONS,
  WIDER,
} from '../rig/hubs/old-home.ts'
import { released } from '../rig/hubs/release.ts'

/** A home that a hub of 0.1.0 has filled; the hub is still there, and what is started next is the program of today. */
async function oldHome(names: readonly Name[] = SESSIONS): Promise<{ place: HubPlace; old: Hub }> {
  const place = await hubPlace({ scenario: oldHomeScenario })
  place.program = await released('0.1.0')
  const old = await place.start()
  await fillHome(place, old, names)
  place.program = programPath('plexus')
  return { place, old }
}

/** What a user finds in a home. */
async function contentOf(hub: Hub) {
  const sessions = await Promise.all(
    SESSIONS.map(async (sessionId) => {
      const { outdated: _, ...session } = await hub.call<Session>('getSession', { sessionId })
      const nodes = await hub.call<unknown>('tree', { sessionId })
      return { session, nodes, events: await eventsOf(hub, sessionId) }
    }),
  )
  const pending = await hub.call<PendingQuestion[]>('pending')
  return { sessions, pending }
}

async function eventsOf(hub: Hub, sessionId: string): Promise<readonly StoredEvent[]> {
  return (await hub.call<Page>('readEvents', { sessionId, after: 0, limit: 1_000 })).events
}

async function ofType<T extends SessionEvent['type']>(hub: Hub, sessionId: string, type: T) {
  const events = (await eventsOf(hub, sessionId)).map(({ event }) => event)
  return events.filter((event): event is EventOf<T> => event.type === type)
}

/** The process of the session's last run. */
async function childOf(place: HubPlace, hub: Hub, name: Name): Promise<ProcessIdentity | undefined> {
  const { runId = '' } = (await ofType(hub, name, 'run.started')).at(-1) ?? {}
  return (await readProcesses(runFolderAt(join(place.home, 'runs', runId))))?.child
}

const say = (hub: Hub, sessionId: Name, content: string) =>
  hub.call<Said>('startTurn', { sessionId, content })

async function rested(hub: Hub, sessionId: Name): Promise<Session> {
  await hub.call('waitFor', { sessionIds: [sessionId], seconds: 50 })
  return hub.call('getSession', { sessionId })
}

/** Until the process that 0.1.0 started is gone; the session is none the worse for it. */
async function replaced(hub: Hub, sessionId: Name, child: ProcessIdentity | undefined): Promise<void> {
  await eventually(async () => {
    expect((await ofType(hub, sessionId, 'run.ended')).at(-1)).toMatchObject({ stopped: true })
    expect(child && (await isAlive(child))).toBe(false)
  })
  expect(await hub.call('getSession', { sessionId })).not.toHaveProperty('outdated')
}

const LIVE = ['done', 'forked', 'waiting', 'running', 'interrupted', 'failed', 'nested'] as const

test('R28: a home whose hub of 0.1.0 was killed has all that it had, and what runs in it is replaced when it is idle', async () => {
  const { place, old } = await oldHome()
  const before = await contentOf(old)
  expect(before.sessions.map(({ session }) => [session.name, session.status])).toEqual(
    SESSIONS.map((name) => [
      name,
      name === 'nested' || name === 'forked' || name === 'stopped' ? 'done' : name,
    ]),
  )
  const children = new Map<Name, ProcessIdentity | undefined>()
  for (const name of LIVE) children.set(name, await childOf(place, old, name))
  await old.kill('SIGKILL')
  const hub = await place.start()

  // What is idle is never spoken to again: what is said first thing goes to a new process.
  expect(await say(hub, 'done', `Run ${GRANTED}`)).toMatchObject({ process: 'resume', queued: false })

  const after = await contentOf(hub)
  expect(after.pending).toMatchObject(before.pending.map(({ id, input }) => ({ id, input })))
  for (const [at, { session, nodes, events }] of before.sessions.entries()) {
    const now = after.sessions[at]
    expect(now?.events.slice(0, events.length)).toEqual(events)
    expect(now?.events.map(({ seq }) => seq)).toEqual(now?.events.map((_, index) => index + 1))
    if (session.name === 'done') continue
    const { lastSeq: _, updatedAt: __, checkpoint: ___, ...same } = session
    expect(now?.session).toMatchObject(same)
    expect(now?.nodes).toEqual(nodes)
  }
  const page = await hub.call<Page>('readEvents', { sessionId: 'done', reader: READER, limit: 1 })
  expect(page.events).toMatchObject([{ seq: READ + 1 }])

  // Named, once, in the log of each session that has a process, and in the hub's own.
  for (const name of LIVE)
    expect(await ofType(hub, name, 'run.outdated')).toMatchObject([{ protection: 1, needed: PROTECTION }])
  expect(place.stderr).toContain('less protection')
  for (const name of ['waiting', 'running'] as const) {
    expect(await hub.call('claudecode.poll', { session_id: name, limit: 0 })).toHaveProperty('outdated')
    expect(await childOf(place, hub, name)).toEqual(children.get(name))
  }
  const polled = await hub.call<Polled>('claudecode.poll', { session_id: 'waiting', reader: 'new' })
  expect(polled.events.map(({ event }) => event.type)).toContain('process_outdated')

  // The question is answered by the client whose session it is, with the token that it had.
  const token = (await readFile(join(place.home, 'clients', `${CLIENT}.token`), 'utf8')).trim()
  const authorization = `Bearer ${token}`
  const mine = await hub.call<Session[]>('listSessions', {}, { authorization })
  expect(mine.map(({ name }) => name)).toEqual(['waiting'])
  const [asked] = await hub.call<PendingQuestion[]>('pending', {}, { authorization })
  await hub.call('answer', { approvalId: asked?.id, answers: ['allow'] }, { authorization })
  expect(await rested(hub, 'waiting')).toMatchObject({ status: 'done' })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('made\n')
  await hub.call('interrupt', { sessionId: 'running' })
  expect(await rested(hub, 'running')).toMatchObject({ status: 'interrupted' })

  // The very call that was granted is not asked about again.
  expect(await rested(hub, 'done')).toMatchObject({ status: 'done' })
  expect(await ofType(hub, 'done', 'tool.finished')).toMatchObject([{ isError: false }, { isError: false }])

  for (const name of LIVE) if (name !== 'done') await replaced(hub, name, children.get(name))
  // The one that asks over HTTP is spoken to by a new process too.
  expect(await say(hub, 'interrupted', 'Go on.')).toMatchObject({ process: 'resume' })
  expect(await rested(hub, 'interrupted')).toMatchObject({ status: 'done' })
  // What only the wide rule of that grant covers is asked about.
  await say(hub, 'done', `Run ${WIDER}`)
  expect(await rested(hub, 'done')).toMatchObject({ status: 'waiting' })
  const [wider] = await hub.call<PendingQuestion[]>('pending', { sessionId: 'done' })
  expect(wider?.input).toMatchObject({ command: WIDER })
}, 60_000)

test('R28: a client of today replaces a running hub of 0.1.0, and its children live on', async () => {
  const { place, old } = await oldHome(['waiting', 'done'])
  const child = await childOf(place, old, 'waiting')
  const idle = await childOf(place, old, 'done')
  const mcp = await startMcp(place)
  const sessionId = 'waiting'
  const asked = await mcp.call<StatusView>('claude_status', { sessionId })
  expect(asked).toMatchObject({
    status: 'awaiting_input',
    outdated: expect.stringContaining('less protection'),
  })
  expect(await old.ended).toBe(0)
  expect(await place.running()).toMatchObject({ version: VERSION, url: old.url })
  expect(child && (await identityOf(child.pid))).toEqual(child)
  await mcp.call('claude_respond', { sessionId, id: asked.pendingQuestion?.id, answers: ['allow'] })
  expect(await mcp.call('claude_status', { sessionId })).toMatchObject({ status: 'done', result: REPLY })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('made\n')
  for (const one of [child, idle])
    await eventually(async () => expect(one && (await isAlive(one))).toBe(false))
  await eventually(async () =>
    expect(await mcp.call('claude_status', { sessionId })).not.toHaveProperty('outdated'),
  )
})

test('R28: a client of 0.1.0 continues with a hub of today; a hub of 0.1.0 refuses its home', async () => {
  const place = await hubPlace({ scenario: oldHomeScenario })
  const hub = await place.start()
  place.program = await released('0.1.0')
  const mcp = await startMcp(place)
  const wish = { prompt: 'Run echo made >> made', waitSeconds: 50 }
  const { sessionId, pendingQuestion } = await mcp.call<StatusView>('claude_start', wish)
  place.sessions.add(sessionId)
  const answer = { sessionId, id: pendingQuestion?.id, answers: ['allow'] }
  expect(await mcp.call('claude_respond', answer)).toMatchObject({ decision: 'allowed' })
  expect(await mcp.call('claude_status', { sessionId })).toMatchObject({ status: 'done', result: REPLY })
  expect(await mcp.call('claude_list')).toMatchObject({ sessions: [{ sessionId }] })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('made\n')
  expect(await place.running()).toMatchObject({ pid: hub.pid })
  await hub.kill('SIGTERM')
  expect(await place.launch().ended).toBe(1)
  expect(place.stderr).toContain('was written by a newer Plexus')
})

test('R28: a client of today that meets a hub of 0.1.0 which is not its to end says what to update', async () => {
  const place = await hubPlace({ scenario: oldHomeScenario })
  place.program = await released('0.1.0')
  const old = await startMcp(place, '--standalone')
  await old.call('claude_list')
  const { pid } = (await place.running()) ?? {}
  expect(pid).toBe(old.process.pid)
  place.program = programPath('plexus')
  const { result } = await (
    await startMcp(place)
  ).request('tools/call', { name: 'claude_list', arguments: {} })
  expect(result).toMatchObject({ isError: true })
  expect(JSON.stringify(result)).toMatch(
    /The hub that runs is an older Plexus .* update the program that runs it/,
  )
  expect(await place.running()).toMatchObject({ pid })
})

test('R28: a client of 0.1.0 that is running when its hub is replaced starts, is asked, answers and looks at the next one', async () => {
  const place = await hubPlace({ scenario: oldHomeScenario })
  place.program = await released('0.1.0')
  const mcp = await startMcp(place)
  await mcp.call('claude_list')
  expect(await place.running()).toMatchObject({ version: '0.1.0' })
  place.program = programPath('plexus')
  await (await startMcp(place)).call('claude_list')
  expect(await place.running()).toMatchObject({ version: VERSION })
  const { sessionId } = await mcp.call<StatusView>('claude_start', { prompt: 'Run echo made >> made' })
  place.sessions.add(sessionId)
  const asked = await mcp.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
  expect(asked).toMatchObject({ status: 'awaiting_input', pendingQuestion: { toolName: 'Bash' } })
  const answer = { sessionId, id: asked.pendingQuestion?.id, answers: ['allow'] }
  expect(await mcp.call('claude_respond', answer)).toMatchObject({ decision: 'allowed', by: 'operator' })
  const done = await mcp.call('claude_status', { sessionId, waitSeconds: 50 })
  expect(done).toMatchObject({ status: 'done', result: REPLY })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('made\n')
})
