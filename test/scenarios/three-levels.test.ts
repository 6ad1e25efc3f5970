/** Three real CLIs, each under the other: what the lowest asks is handed up, decided above, and told where. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import type { Page } from '../../src/sessions/read-events.ts'
import type { Session } from '../../src/sessions/session.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hub.ts'
import { threeLevels, TOP } from '../rig/three-levels.ts'

const NOTE = 'It is about the file that you want.'

async function begin(hub: Hub, place: HubPlace): Promise<Session> {
  const options = { workingDirectory: place.project, nested: true }
  const top = await hub.call<Session>('createSession', { options })
  place.sessions.add(top.id)
  await hub.call('startTurn', { sessionId: top.id, content: TOP })
  return top
}

async function eventsOf(hub: Hub, sessionId: string): Promise<SessionEvent[]> {
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  return events.map(({ event }) => event)
}

test('three sessions deep a question is handed up with a note, answered two levels above, and the results come back', async () => {
  const place = await hubPlace({ scenario: { main: threeLevels(NOTE) } })
  const hub = await place.start()
  const top = await begin(hub, place)
  const [ended] = await hub.call<Session[]>('waitFor', { sessionIds: [top.id], seconds: 50 })
  expect(ended).toMatchObject({ id: top.id, status: 'done' })
  const sessions = await hub.call<Session[]>('listSessions')
  for (const { id } of sessions) place.sessions.add(id)
  const middle = sessions.find(({ parentId }) => parentId === top.id)
  const lowest = sessions.find(({ parentId }) => parentId === middle?.id)
  expect(sessions).toHaveLength(3)
  expect(middle).toMatchObject({ owner: 'operator', status: 'done' })
  expect(existsSync(join(place.project, 'made'))).toBe(true)

  const log = await eventsOf(hub, lowest?.id ?? '')
  const told = log.filter(({ type }) => /^approval\.(escalated|settled)$/.test(type))
  expect(told).toMatchObject([
    { type: 'approval.escalated', by: middle?.id, to: top.id, note: NOTE },
    { type: 'approval.settled', status: 'allowed', by: top.id, level: 1 },
  ])
  const said = (await eventsOf(hub, top.id)).findLast(({ type }) => type === 'turn.ended')
  expect(said).toMatchObject({ result: 'top: middle: low: made it' })
  // Nobody was asked about the tools by which a session has others below it.
  for (const { id } of [top, middle ?? top])
    expect((await eventsOf(hub, id)).filter(({ type }) => type === 'approval.opened')).toEqual([])
})
