/** What the models of three sessions, each below the other, say: one script, which tells them apart by their task. */
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Message, type Reply, say, tools, use } from '../../../src/demo/scenario.ts'

export const TOP = 'TASK-TOP: have it made.'
export const MIDDLE = 'TASK-MIDDLE: have it made.'
const LOW = 'TASK-LOW: make it.'

export interface Habits {
  /** With this note the middle hands up what it is asked; without one it never decides. */
  readonly note?: string
  /** The top allows what falls to it; otherwise it never decides. */
  readonly allows: boolean
}

type Told = Partial<StatusView>

/** The lowest wants to run a command; each of the others tells the result of the one below. */
export function threeLevels(habits: Habits): (request: ModelRequest) => Reply {
  return (request) => {
    if (isOf(request, LOW)) return low(request)
    const told = toldBy(request)
    const child = told[0]?.sessionId
    return isOf(request, MIDDLE) ? middle(told.at(-1), child, habits) : top(told.at(-1), child, habits)
  }
}

/** Whether this is what the session with this task says. */
export function isOf({ kind, body }: ModelRequest, task: string): boolean {
  return kind === 'main' && JSON.stringify(body.messages[0]).includes(task)
}

const call = (name: string, input: object): Message => tools(use(`mcp__plexus__${name}`, input))
const wait = (sessionId: string | undefined) => call('claude_status', { sessionId, waitSeconds: 50 })

function low({ toolResults: [result] }: ModelRequest): Reply {
  if (!result) return tools(use('Bash', { command: 'touch made' }))
  return say(result.isError ? `low: failed, ${result.text}` : 'low: made it')
}

function middle(told: Told | undefined, child: string | undefined, { note }: Habits): Reply {
  if (!told) return call('claude_start', { prompt: LOW, waitSeconds: 50 })
  const { sessionId, status, pendingQuestion, result } = told
  if (pendingQuestion && note === undefined) return { hang: true }
  if (pendingQuestion && !pendingQuestion.escalated)
    return call('loopback_escalate', { approval_id: pendingQuestion.id, session_id: sessionId, note })
  return status === 'done' ? say(`middle: ${result}`) : wait(child)
}

function top(told: Told | undefined, child: string | undefined, { allows }: Habits): Reply {
  if (!told) return call('claude_start', { prompt: MIDDLE, nested: true })
  const { status, questionsBelow: [asked] = [], result } = told
  if (asked)
    return allows
      ? call('claude_respond', { sessionId: asked.sessionId, id: asked.id, answers: ['allow'] })
      : { hang: true }
  return status === 'done' || status === 'interrupted' ? say(`top: ${result}`) : wait(child)
}

/** What the tools have told so far, the last one last; one that failed has told nothing. */
function toldBy({ body }: ModelRequest): Told[] {
  return body.messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return []
    const results = content.filter(({ type }) => type === 'tool_result')
    return results.map((result) => toldIn(textIn(result['content'])))
  })
}

function toldIn(text: string): Told {
  try {
    return JSON.parse(text) as Told
  } catch {
    return {}
  }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { text: string }[]).map(({ text }) => text).join('')
}
