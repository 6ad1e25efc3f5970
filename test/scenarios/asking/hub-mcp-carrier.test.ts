import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'

const append = (text: string) => tools(use('Bash', { command: `echo ${text} >> made` }))

async function question(hub: Hub, sessionId: string): Promise<PendingQuestion> {
  await hub.call('waitFor', { sessionIds: [sessionId], seconds: 50 })
  const [pending] = await hub.call<PendingQuestion[]>('pending', { sessionId })
  if (!pending) throw new Error('Nothing is asked.')
  return pending
}

test('R2: a child that asks over HTTP is heard by the hub, and by the next one on the same port after kill -9', async () => {
  const place = await hubPlace({ scenario: { main: [append('one'), append('two'), say('done')] } })
  const hub = await place.start()
  const options = { workingDirectory: place.project, carrier: 'mcp' }
  const { id } = await hub.call<Session>('createSession', { options })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  const first = await question(hub, id)
  expect(first).toMatchObject({ carrier: 'mcp', toolName: 'Bash' })
  await hub.call('answer', { approvalId: first.id, answers: ['allow'] })
  await question(hub, id)
  await hub.kill('SIGKILL')
  const next = await place.start()
  expect(next.port).toBe(hub.port)
  // One version asks again, the other has failed closed and goes on; an answer in between comes too late.
  const [{ id: approvalId } = { id: '' }] = await next.call<PendingQuestion[]>('pending', { sessionId: id })
  await next.call('answer', { approvalId, answers: ['allow'] }).catch(() => {})
  const events = await eventsUntilEnd(next, id)
  const [, second] = events.filter(({ type }) => type === 'tool.finished') as EventOf<'tool.finished'>[]
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe(second?.isError ? 'one\n' : 'one\ntwo\n')
  expect(events.filter(({ type }) => type === 'tool.unasked')).toEqual([])
})

test('R2: a hub that is stopped in good order takes no question of such a child back, and the next one has its port', async () => {
  const place = await hubPlace({ scenario: { main: [append('one'), say('done')] } })
  const hub = await place.start()
  const options = { workingDirectory: place.project, carrier: 'mcp' }
  const { id } = await hub.call<Session>('createSession', { options })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  const asked = await question(hub, id)
  expect(await hub.kill('SIGTERM')).toBe(0)
  const store = await openSqliteStore(join(place.home, 'plexus.db'))
  expect(await store.approvals.get(asked.id)).toMatchObject({ status: 'pending' })
  await store.close()
  const next = await place.start()
  expect(next.port).toBe(hub.port)
  await next.call('answer', { approvalId: asked.id, answers: ['allow'] }).catch(() => {})
  const events = await eventsUntilEnd(next, id)
  expect(events.filter(({ type }) => type === 'tool.finished')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'tool.unasked')).toEqual([])
})

test('PLEXUS_CARRIER says how a child asks whose start options do not', async () => {
  const scenario = { main: [append('one'), say('done')] }
  const place = await hubPlace({ scenario, env: { PLEXUS_CARRIER: 'mcp' } })
  const hub = await place.start()
  const create = (options: object) =>
    hub.call<Session>('createSession', { options: { workingDirectory: place.project, ...options } })
  expect((await create({ carrier: 'control' })).config.carrier).toBe('control')
  const { id, config } = await create({})
  expect(config.carrier).toBe('mcp')
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  expect(await question(hub, id)).toMatchObject({ carrier: 'mcp', toolName: 'Bash' })
})

/** All events of a session, once its turn has ended. */
async function eventsUntilEnd(hub: Hub, sessionId: string): Promise<SessionEvent[]> {
  return eventually(async () => {
    const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
    expect(events.at(-1)?.event.type).toBe('turn.ended')
    return events.map(({ event }) => event)
  })
}
