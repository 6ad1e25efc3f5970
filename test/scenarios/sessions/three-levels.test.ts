/** Three real CLIs, each under the other: what the lowest asks is handed up, decided above, and told where. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { tokenOf } from '../../rig/hubs/session-token.ts'
import { type Habits, isOf, MIDDLE, threeLevels, TOP } from '../../rig/hubs/three-levels.ts'

/** Three processes of the CLI on a machine that has other things to do. */
const PATIENCE_MS = 60_000
vi.setConfig({ testTimeout: 2 * PATIENCE_MS })

const NOTE = 'It is about the file that you want.'

async function aPlace(habits: Habits): Promise<{ place: HubPlace; hub: Hub; top: Session }> {
  const place = await hubPlace({ scenario: { main: threeLevels(habits) } })
  const hub = await place.start()
  const options = { workingDirectory: place.project, nested: true }
  const top = await hub.call<Session>('createSession', { options })
  place.sessions.add(top.id)
  await hub.call('startTurn', { sessionId: top.id, content: TOP })
  return { place, hub, top }
}

/** Those below it, once they are there. */
async function below(hub: Hub, place: HubPlace, top: Session): Promise<{ middle: Session; low: Session }> {
  return eventually(async () => {
    const sessions = await hub.call<Session[]>('listSessions')
    for (const { id } of sessions) place.sessions.add(id)
    const middle = sessions.find(({ parentId }) => parentId === top.id)
    const low = sessions.find(({ parentId }) => parentId === middle?.id)
    if (!middle || !low) throw new Error('They are not there yet.')
    return { middle, low }
  }, PATIENCE_MS)
}

async function eventsOf(hub: Hub, sessionId: string): Promise<SessionEvent[]> {
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  return events.map(({ event }) => event)
}

/** What the session with this token is to answer. */
const asked = (who: Hub, token: string) =>
  who.call<PendingQuestion[]>('pending', {}, { authorization: `Bearer ${token}` })

const isDecision = ({ type }: SessionEvent) => type === 'approval.escalated' || type === 'approval.settled'

async function resultOf(hub: Hub, sessionId: string): Promise<string | undefined> {
  return eventually(async () => {
    const ended = (await eventsOf(hub, sessionId)).findLast(({ type }) => type === 'turn.ended')
    if (!ended) throw new Error('It goes on.')
    return (ended as EventOf<'turn.ended'>).result
  }, PATIENCE_MS)
}

test('three sessions deep a question is handed up with a note, answered two levels above, and the results come back', async () => {
  const { place, hub, top } = await aPlace({ note: NOTE, allows: true })
  expect(await resultOf(hub, top.id)).toBe('top: middle: low: made it')
  const { middle, low } = await below(hub, place, top)
  expect([middle, low]).toMatchObject([
    { owner: 'operator', status: 'done' },
    { owner: 'operator', status: 'done' },
  ])
  expect(existsSync(join(place.project, 'made'))).toBe(true)
  expect((await eventsOf(hub, low.id)).filter(isDecision)).toMatchObject([
    { type: 'approval.escalated', by: middle.id, to: top.id, note: NOTE },
    { type: 'approval.settled', status: 'allowed', by: top.id, level: 1 },
  ])
  // Nobody was asked about the tools by which a session has others below it.
  for (const { id } of [top, middle])
    expect((await eventsOf(hub, id)).filter(({ type }) => type === 'approval.opened')).toEqual([])
  // It started one, handed a question up, waited once, and told the result.
  const { requests } = place.model
  expect(requests.filter((request) => isOf(request, MIDDLE))).toHaveLength(4)
})

test('R1: after kill -9 of the hub the same question waits for the same level, and the sessions above continue', async () => {
  const { place, hub, top } = await aPlace({ note: NOTE, allows: false })
  const { middle, low } = await below(hub, place, top)
  const tokens = {
    top: (await tokenOf(place, hub, top.id)).token,
    middle: (await tokenOf(place, hub, middle.id)).token,
  }
  const before = await eventually(async () => {
    const [question] = await asked(hub, tokens.top)
    if (!question) throw new Error('It was not handed up yet.')
    return question
  })
  await hub.kill('SIGKILL')
  const next = await place.start()
  const [again] = await asked(next, tokens.top)
  expect(again).toEqual({ ...before, expiresAt: again?.expiresAt })
  // The time without a hub does not count: the limit has begun anew.
  expect(again?.expiresAt).toBeGreaterThan(before.expiresAt ?? Infinity)
  expect(before).toMatchObject({
    sessionId: low.id,
    escalations: [{ by: middle.id, to: top.id, note: NOTE }],
  })
  expect(await asked(next, tokens.middle)).toEqual([])
  await next.call('answer', { approvalId: before.id, answers: ['allow'] })
  expect(await resultOf(next, middle.id)).toBe('middle: low: made it')
  expect((await eventsOf(next, low.id)).filter(isDecision).at(-1)).toMatchObject({
    by: 'operator',
    level: 'person',
  })
})

test('a session whose parent is stopped keeps its question, and the one above is woken for it', async () => {
  const { place, hub, top } = await aPlace({ allows: true })
  const { middle, low } = await below(hub, place, top)
  await place.model.request(
    (request) => isOf(request, MIDDLE) && JSON.stringify(request.body.messages).includes('pendingQuestion'),
  )
  expect((await eventsOf(hub, low.id)).filter(isDecision)).toEqual([])
  await hub.call('stopSession', { sessionId: middle.id })
  expect(await resultOf(hub, low.id)).toBe('low: made it')
  expect((await eventsOf(hub, low.id)).filter(isDecision)).toMatchObject([
    { status: 'allowed', by: top.id, level: 1 },
  ])
})
