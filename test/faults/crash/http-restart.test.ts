import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { clients, httpClient, type McpClient } from '../../rig/clients/mcp-clients.ts'

const ASK: Scenario = {
  main: [
    tools(use('Bash', { command: 'touch one' })),
    tools(use('Bash', { command: 'touch two' })),
    say('Both are made.'),
  ],
}
const SESSIONS = 'plexus://sessions'

async function started(place: HubPlace, client: McpClient): Promise<string> {
  const input = { prompt: 'make them', workingDirectory: place.project, answerers: 'person' }
  const { sessionId } = await client.call<StatusView>('claude_start', input)
  place.sessions.add(sessionId)
  return sessionId
}

/** The session that a call has begun whose answer is not there yet. */
async function onlySession(place: HubPlace, hub: Hub): Promise<string> {
  return eventually(async () => {
    const [session] = await hub.call<{ id: string }[]>('listSessions', {})
    if (!session) throw new Error('There is no session.')
    place.sessions.add(session.id)
    return session.id
  })
}

describe.each(['sdk 1', '2025'] as const)('with a client of %s over HTTP', (kind) => {
  test('R29: forms and subscriptions of a connection continue with the next hub', async () => {
    const place = await hubPlace({ scenario: ASK })
    const hub = await place.start()
    const forms: string[] = []
    const client = await httpClient(kind, hub, ({ message }) => {
      forms.push(message)
      return new Promise(() => {})
    })
    await client.resources()
    await client.subscribe(SESSIONS)
    const sessionId = await started(place, client)
    // A form is open when the hub goes, and no call is.
    await eventually(() => expect(forms).toEqual([expect.stringContaining('touch one')]))
    await eventually(() => expect(client.notified).toContain(SESSIONS))
    await hub.kill()
    const next = await place.start('--port', String(hub.port))
    await eventually(() => expect(forms).toHaveLength(2))
    expect(forms[1]).toBe(forms[0])
    const before = client.notified.length
    const [asked] = await next.call<PendingQuestion[]>('pending', { sessionId })
    await next.call('answer', { approvalId: asked?.id, answers: ['allow'] })
    await eventually(() => expect(forms).toEqual([forms[0], forms[0], expect.stringContaining('touch two')]))
    await eventually(() => expect(client.notified.slice(before)).toContain(SESSIONS))
  })

  test('R31: a call that was open when the hub was killed is answered by the next', async () => {
    const place = await hubPlace({ scenario: ASK })
    const hub = await place.start()
    const client = await httpClient(kind, hub)
    const input = { prompt: `make them ${'x'.repeat(100_000)}`, workingDirectory: place.project }
    const start = client.call<StatusView>('claude_start', { ...input, waitSeconds: 50 })
    const sessionId = await onlySession(place, hub)
    await hub.kill()
    await place.start('--port', String(hub.port))
    expect(await start).toMatchObject({ sessionId, status: 'awaiting_input' })
  })
})

test.each(clients)(
  'R30: a call that is open when the hub stops is answered with the session (%s over HTTP)',
  async (kind) => {
    const place = await hubPlace({ scenario: { main: [{ hang: true }] } })
    const hub = await place.start()
    const client = await httpClient(kind, hub)
    const input = { prompt: 'go', workingDirectory: place.project, waitSeconds: 50 }
    const start = client.texts('claude_start', input)
    const sessionId = await onlySession(place, hub)
    expect(await hub.kill('SIGTERM')).toBe(0)
    const [result = '', note] = await start
    expect(JSON.parse(result)).toMatchObject({ sessionId, status: 'active' })
    expect(note).toContain('The hub stops')
  },
)
