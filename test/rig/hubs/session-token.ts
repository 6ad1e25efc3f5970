/** The token of a session's child, as it lies in the file that the child was given. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOf } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import type { Hub, HubPlace } from './hub.ts'

export interface SessionToken {
  readonly token: string
  readonly file: string
}

export async function tokenOf(place: HubPlace, hub: Hub, sessionId: string): Promise<SessionToken> {
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  const run = events.map(({ event }) => event).findLast(({ type }) => type === 'run.started')
  const file = join(place.home, 'runs', (run as EventOf<'run.started'>).runId, 'mcp.json')
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
    mcpServers: { plexus: { headers: { Authorization: string } } }
  }
  return { token: mcpServers.plexus.headers.Authorization.replace('Bearer ', ''), file }
}
