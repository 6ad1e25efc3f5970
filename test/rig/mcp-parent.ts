/** A parent that has the six tools, at a hub with the real CLI. */
import type { StatusView } from '../../src/api/claude/status-view.ts'
import type { Reply } from '../../src/demo/scenario.ts'
import { type Hub, hubPlace, type HubPlace } from './hub.ts'
import { httpClient, type McpClient } from './mcp-clients.ts'

export interface Listed {
  readonly sessionId: string
  readonly displayText: string
  readonly projectDirectory: string
  readonly activeStatus?: string
}

export class Parent {
  readonly place: HubPlace
  readonly hub: Hub
  readonly client: McpClient

  constructor(place: HubPlace, hub: Hub, client: McpClient) {
    this.place = place
    this.hub = hub
    this.client = client
  }

  async start(prompt: unknown, options: object = {}): Promise<StatusView> {
    const input = { prompt, workingDirectory: this.place.project, ...options }
    const started = await this.client.call<StatusView>('claude_start', input)
    this.place.sessions.add(started.sessionId)
    return started
  }

  say(sessionId: string, message: string, options: object = {}): Promise<StatusView & { queued?: boolean }> {
    return this.client.call('claude_say', { sessionId, message, ...options })
  }

  status(sessionId: string, options: object = {}): Promise<StatusView> {
    return this.client.call('claude_status', { sessionId, waitSeconds: 50, ...options })
  }

  /** The question that it waits with. */
  async question(sessionId: string): Promise<NonNullable<StatusView['pendingQuestion']>> {
    const { status, pendingQuestion } = await this.status(sessionId)
    if (!pendingQuestion) throw new Error(`There is no question; the session is ${status}.`)
    return pendingQuestion
  }

  respond(sessionId: string, id: string, answers: string[], more: object = {}): Promise<object> {
    return this.client.call('claude_respond', { sessionId, id, answers, ...more })
  }
}

export async function aParent(main: Reply[], env: Record<string, string> = {}): Promise<Parent> {
  const place = await hubPlace({ scenario: { main }, env })
  const hub = await place.start()
  return new Parent(place, hub, await httpClient('2026', hub))
}
