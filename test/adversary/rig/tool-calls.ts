/** A session whose model makes one tool call after the other, and somebody who answers every question at once. */
import type { ModelRequest } from '../../../src/demo/scripted-model.ts'
import { type Reply, type Scenario, say, tools, use } from '../../../src/demo/scenario.ts'
import { SseFrames } from '../../../src/text/sse-frames.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { type Hub, type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'

export interface ToolCall {
  /** The id of its tool use. */
  readonly id: string
  readonly name: string
  readonly input: object
}

export interface Conversation {
  readonly calls: readonly ToolCall[]
  readonly options: object
  /** What is said to the question about a call. */
  readonly answer: (toolUseId: string) => 'allow' | 'deny'
  /** Between the first words of the session and its first call. */
  readonly begun?: (sessionId: string) => Promise<void>
  /** Right when the model has the result, before it goes on. */
  readonly finished?: (toolUseId: string, text: string) => void
  /** When the turn is over and the process is still there. */
  readonly over?: (sessionId: string) => Promise<void>
}

export interface Told {
  readonly asked: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
  /** The request after the last call: all that the model ever got. */
  readonly last: ModelRequest | undefined
}

type Script = (request: ModelRequest) => Reply

/** A hub whose sessions make the calls that `converse` gives them. */
export class CallingHub {
  readonly place: HubPlace
  readonly #scripts: Map<string, Script>

  private constructor(place: HubPlace, scripts: Map<string, Script>) {
    this.place = place
    this.#scripts = scripts
  }

  static async make(env: Record<string, string>): Promise<CallingHub> {
    const scripts = new Map<string, Script>()
    const main: Scenario['main'] = (request) =>
      scripts.get(request.sessionId ?? '')?.(request) ?? say('ready')
    return new CallingHub(await hubPlace({ scenario: { main }, env: { LOG_LEVEL: 'warn', ...env } }), scripts)
  }

  async converse(hub: Hub, conversation: Conversation): Promise<Told> {
    const { calls, options, finished, begun, over } = conversation
    const { id } = await hub.call<Session>('createSession', { options })
    this.place.sessions.add(id)
    await hub.call('startTurn', { sessionId: id, content: 'hello' })
    await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
    await begun?.(id)
    let last: ModelRequest | undefined
    let next = 0
    this.#scripts.set(id, (request) => {
      last = request
      for (const { toolUseId, text } of request.toolResults) finished?.(toolUseId, text)
      const call = calls[next]
      next += 1
      return call ? tools(use(call.name, call.input, call.id)) : say('done')
    })
    await hub.call('startTurn', { sessionId: id, content: 'go' })
    const told = await answerAll(hub, id, conversation.answer)
    if (next <= calls.length) throw new Error(`The turn ended after ${next} of ${calls.length} calls.`)
    await over?.(id)
    await hub.call('stopSession', { sessionId: id })
    return { ...told, last }
  }
}

/** Until the second turn is over. */
async function answerAll(hub: Hub, sessionId: string, answer: Conversation['answer']) {
  const asked = new Set<string>()
  const refused = new Set<string>()
  for await (const { turn, event } of eventsOf(hub, sessionId)) {
    if (event.type === 'tool.refused') refused.add(event.toolUseId)
    // A program answers each question by itself, not the one that stands for many.
    if (event.type === 'approval.opened' && !event.flood) {
      asked.add(event.toolUseId ?? '')
      const answers = [answer(event.toolUseId ?? '')]
      await hub.call('answer', { sessionId, approvalId: event.approvalId, answers })
    }
    if (turn === 2 && event.type === 'turn.ended') break
  }
  return { asked, refused }
}

async function* eventsOf(hub: Hub, sessionId: string): AsyncGenerator<{ turn: number; event: SessionEvent }> {
  const stop = new AbortController()
  const response = await fetch(`${hub.url}/events?session=${sessionId}`, {
    headers: { authorization: `Bearer ${hub.token}` },
    signal: stop.signal,
  })
  const frames = new SseFrames()
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      for (const { event, data } of frames.take(Buffer.from(chunk).toString()))
        if (event === 'message') yield JSON.parse(data) as StoredEvent
  } finally {
    stop.abort()
  }
}
