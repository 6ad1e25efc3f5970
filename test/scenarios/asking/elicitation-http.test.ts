import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'
import { clients, type Filled, httpClient } from '../../rig/clients/mcp-clients.ts'
import { ALLOW, answering, resolvable, slowly } from '../../rig/clients/people.ts'

const TOUCH: Scenario = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }

async function settled(hub: Hub, sessionId: string) {
  return eventually(async () => {
    const { events } = await hub.call<Page>('readEvents', { sessionId })
    const found = events.find(({ event }) => event.type === 'approval.settled')
    if (!found) throw new Error('Nothing is settled.')
    return found.event
  })
}

describe.each(clients)('with a client of %s over HTTP', (kind) => {
  test('a person allows what is asked inside the call, with the client that a hub process has', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const { person, shown } = answering(ALLOW)
    const client = await httpClient(kind, hub, slowly(person))
    const { sessionId } = await client.call<StatusView>('claude_start', {
      prompt: 'make it',
      workingDirectory: place.project,
      answerers: 'person',
    })
    place.sessions.add(sessionId)
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'It is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(shown).toHaveLength(1)
    expect(await settled(hub, sessionId)).toMatchObject({
      by: 'a person at test',
      level: 'person',
      via: 'form',
    })
  })

  test('a client whose connection an earlier hub had is answered by the next', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const client = await httpClient(kind, hub, answering().person)
    await hub.kill()
    await place.start('--port', String(hub.port))
    expect(await client.call('claude_list')).toMatchObject({ sessions: [] })
  })
})

describe('with a client of an older protocol over HTTP', () => {
  test('a form outlives its call, and a late answer counts', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const asked = resolvable<void>()
    const answer = resolvable<Filled>()
    const client = await httpClient('sdk 1', hub, () => {
      asked.resolve()
      return answer.promise
    })
    const { sessionId } = await client.call<StatusView>('claude_start', {
      prompt: 'make it',
      workingDirectory: place.project,
    })
    place.sessions.add(sessionId)
    await asked.promise
    expect(await client.call('claude_status', { sessionId, waitSeconds: 1 })).toMatchObject({
      status: 'awaiting_input',
    })
    answer.resolve(ALLOW)
    expect(await settled(hub, sessionId)).toMatchObject({ status: 'allowed' })
  })

  test('a person is asked also while no call is open', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const { person, shown } = answering(ALLOW)
    const client = await httpClient('2025', hub, person)
    const { sessionId } = await client.call<StatusView>('claude_start', {
      prompt: 'make it',
      workingDirectory: place.project,
    })
    place.sessions.add(sessionId)
    expect(await settled(hub, sessionId)).toMatchObject({ status: 'allowed' })
    expect(shown).toHaveLength(1)
  })
})
