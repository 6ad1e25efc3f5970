/** A person is asked what a session below theirs wants: the call is still about theirs. */
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'
import { ALLOW, answering } from '../../rig/clients/people.ts'
import { MIDDLE, threeLevels } from '../../rig/hubs/three-levels.ts'

test('a call that is about a session reports that one, also when one below it has been answered meanwhile', async () => {
  const place = await hubPlace({ scenario: { main: threeLevels({ note: 'Yours.', allows: false }) } })
  const hub = await place.start()
  const started = (['sdk 1', '2026'] as const).map(async (kind) => {
    const { person, shown } = answering(ALLOW)
    const client = await httpClient(kind, hub, person)
    const { sessionId } = await client.call<StatusView>('claude_start', {
      prompt: MIDDLE,
      workingDirectory: place.project,
      nested: true,
    })
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    return { done, asked: shown.length }
  })
  const told = await Promise.all(started)
  const sessions = await hub.call<Session[]>('listSessions')
  for (const { id } of sessions) place.sessions.add(id)
  const upper = sessions.filter(({ parentId }) => parentId === undefined).map(({ id }) => id)
  expect(new Set(told.map(({ done }) => done.sessionId))).toEqual(new Set(upper))
  for (const { done, asked } of told) {
    expect(done).toMatchObject({ status: 'done', result: 'middle: low: made it' })
    expect(asked).toBe(1)
  }
})
