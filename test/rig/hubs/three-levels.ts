/** What the models of three sessions, each below the other, say: one script, which distinguishes them by their task. */
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

type Status = Partial<StatusView>

/** The lowest wants to run a command; each of the others reports the result of the one below. */
export function threeLevels(habits: Habits): (request: ModelRequest) => Reply {
  return (request) => {
    if (isOf(request, LOW)) return low(request)
    const results = toolResultsOf(request)
    const child = results[0]?.sessionId
    return isOf(request, MIDDLE) ? middle(results.at(-1), child, habits) : top(results.at(-1), child, habits)
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

function middle(last: Status | undefined, child: string | undefined, { note }: Habits): Reply {
  if (!last) return call('claude_start', { prompt: LOW, waitSeconds: 50 })
  const { sessionId, status, pendingQuestion, result } = last
  if (pendingQuestion && note === undefined) return { hang: true }
  if (pendingQuestion && !pendingQuestion.escalated)
    return call('loopback_escalate', { approval_id: pendingQuestion.id, session_id: sessionId, note })
  return status === 'done' ? say(`middle: ${result}`) : wait(child)
}

function top(last: Status | undefined, child: string | undefined, { allows }: Habits): Reply {
  if (!last) return call('claude_start', { prompt: MIDDLE, nested: true })
  const { status, questionsBelow: [asked] = [], result } = last
  if (asked)
    return allows
      ? call('claude_respond', { sessionId: asked.sessionId, id: asked.id, answers: ['allow'] })
      : { hang: true }
  return status === 'done' || status === 'interrupted' ? say(`top: ${result}`) : wait(child)
}

/** The results of the tools so far, the last one last; a failed one is empty. */
function toolResultsOf({ body }: ModelRequest): Status[] {
  return body.messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return []
    const results = content.filter(({ type }) => type === 'tool_result')
    return results.map((result) => statusIn(textIn(result['content'])))
  })
}

function statusIn(text: string): Status {
  try {
    return JSON.parse(text) as Status
  } catch {
    return {}
  }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { text: string }[]).map(({ text }) => text).join('')
}
