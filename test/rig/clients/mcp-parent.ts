/** A parent that has the six tools, at a hub with the real CLI. */
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Reply, say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import { isAtLeast } from '../../../src/text/version-order.ts'
import { type Hub, hubPlace, type HubPlace } from '../hubs/hub.ts'
import { httpClient, type McpClient } from './mcp-clients.ts'
import { cliVersion } from '../cli/real-cli.ts'

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

type Step = Reply | ((request: ModelRequest) => Reply)

/** What the model of its one session says, step by step. */
export async function aParent(steps: Step[], env: Record<string, string> = {}): Promise<Parent> {
  const isPlain = steps.every((step) => typeof step !== 'function')
  const place = await hubPlace({ scenario: isPlain ? { main: steps } : inSteps(steps), env })
  const hub = await place.start()
  return new Parent(place, hub, await httpClient('2026', hub))
}

/** For one session: some steps look at what they answer. */
export function inSteps(steps: readonly Step[]): Scenario {
  const left = [...steps]
  return {
    main: (request) => {
      const step = left.shift() ?? say('done')
      return typeof step === 'function' ? step(request) : step
    },
  }
}

/** A plan is a file, whose path the CLI gives the model; newer versions show no other. */
export const planned = (text: string): Step[] => [
  ({ body }) => {
    const [path = ''] = /\/[^\s"`\\]+\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? []
    return tools(use('Write', { file_path: path, content: text }))
  },
  tools(use('ExitPlanMode', {})),
]

/** Newer versions of the CLI do not send a prompt that no model could read. */
export const sendsLongPrompts = (): boolean => !isAtLeast(cliVersion(), '2.1.325')

export const afterLongPrompt = (result: string): object =>
  sendsLongPrompts()
    ? { status: 'done', result }
    : { status: 'error', error: { message: 'Prompt is too long' } }
