import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { coalesced } from '../../../src/sessions/writing/coalesce-text.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { type Call, pollToRest } from '../../rig/clients/loopback.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'

const STORY = {
  main: [tools(use('Bash', { command: 'touch made' })), say('It is made.'), { hang: true as const }],
}

test('one story through either family leaves the same log, but for ids and times', async () => {
  const place = await hubPlace({ scenario: STORY })
  const hub = await place.start()
  const [first, second] = [await throughA(place, hub), await throughB(place, hub)]
  const [logOfA, logOfB] = [await logOf(hub, first), await logOf(hub, second)]
  expect(logOfA.map(({ event }) => event.type)).toEqual(
    expect.arrayContaining(['approval.opened', 'approval.settled', 'tool.finished', 'turn.ended']),
  )
  expect(logOfA.filter(({ event }) => event.type === 'turn.ended')).toMatchObject([
    { turn: 1, event: { outcome: 'done' } },
    { turn: 2, event: { outcome: 'interrupted' } },
  ])
  expect(anonymous(logOfB)).toEqual(anonymous(logOfA))
})

async function throughA(place: HubPlace, hub: Hub): Promise<string> {
  const client = await httpClient('2026', hub)
  const input = { prompt: 'make it', workingDirectory: place.project }
  const { sessionId } = await client.call<StatusView>('claude_start', input)
  place.sessions.add(sessionId)
  const asked = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
  await client.call('claude_respond', { sessionId, id: asked.pendingQuestion?.id, answers: ['allow'] })
  const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
  expect(done).toMatchObject({ status: 'done', result: 'It is made.' })
  await client.call('claude_say', { sessionId, message: 'go on' })
  await asksTheModel(place, 3)
  await client.call('claude_interrupt', { sessionId })
  await client.call('claude_status', { sessionId, waitSeconds: 50 })
  return sessionId
}

async function throughB(place: HubPlace, hub: Hub): Promise<string> {
  const client = await httpClient('2026', hub)
  const call: Call = (method, params) => client.call(method.replaceAll('.', '_'), params)
  const input = { loopback_enabled: true, working_dir: place.project }
  const { id: session_id } = await call<{ id: string }>('claudecode.create', input)
  place.sessions.add(session_id)
  await call('claudecode.chat_async', { session_id, prompt: 'make it' })
  const { pending_approvals } = await pollToRest(call, { session_id })
  await call('loopback.respond', { approval_id: pending_approvals[0]?.id, approve: true })
  expect(await pollToRest(call, { session_id })).toMatchObject({ status: 'complete' })
  await call('claudecode.chat_async', { session_id, prompt: 'go on' })
  await asksTheModel(place, 6)
  await call('claudecode.interrupt', { session_id })
  await pollToRest(call, { session_id })
  return session_id
}

/** The model is at work for so many times: what hangs hangs. */
function asksTheModel({ model }: HubPlace, times: number): Promise<void> {
  return eventually(() => {
    expect(model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(times)
  })
}

async function logOf(hub: Hub, sessionId: string): Promise<StoredEvent[]> {
  const { events } = await hub.call<{ events: StoredEvent[] }>('readEvents', { sessionId, limit: 1_000 })
  return events
}

/** Ids by the order in which they come up, no times, and streamed text however it was cut. */
function anonymous(log: readonly StoredEvent[]): SessionEvent[] {
  const ids = new Map<string, string>()
  const named = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`)
    return ids.get(id) ?? ''
  }
  const events = coalesced(
    log.map(({ event }) => event),
    Infinity,
  )
  const text = JSON.stringify(events, (key, value: unknown) =>
    key === 'durationMs' || key === 'shownAt' ? 0 : value,
  )
  return JSON.parse(text.replace(ID, named)) as SessionEvent[]
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:toolu|msg|req)_\w+/g
