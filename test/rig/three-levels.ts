/** What the models of three sessions, each below the other, say: one script, which tells them apart by their task. */
import type { StatusView } from '../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../src/demo/model-request.ts'
import { type Message, say, tools, use } from '../../src/demo/scenario.ts'

export const TOP = 'TASK-TOP: have it made.'
const MIDDLE = 'TASK-MIDDLE: have it made.'
const LOW = 'TASK-LOW: make it.'

type Told = Partial<StatusView> & { decision?: string; escalated_to?: string }

/** The lowest wants to run a command, the middle hands that up, the top allows it; each tells the result of the one below. */
export function threeLevels(note: string): (request: ModelRequest) => Message {
  return (request) => {
    const first = JSON.stringify(request.body.messages[0])
    if (first.includes('TASK-LOW')) return low(request)
    const told = toldBy(request)
    const child = told[0]?.sessionId
    return first.includes('TASK-MIDDLE') ? middle(told.at(-1), note, child) : top(told.at(-1), child)
  }
}

const call = (name: string, input: object): Message => tools(use(`mcp__plexus__${name}`, input))

function low({ toolResults: [result] }: ModelRequest): Message {
  if (!result) return tools(use('Bash', { command: 'touch made' }))
  return say(result.isError ? `low: failed, ${result.text}` : 'low: made it')
}

function middle(told: Told | undefined, note: string, child: string | undefined): Message {
  if (!told) return call('claude_start', { prompt: LOW, waitSeconds: 50 })
  const { sessionId, status, pendingQuestion, result } = told
  if (pendingQuestion && !pendingQuestion.escalated)
    return call('loopback_escalate', { approval_id: pendingQuestion.id, session_id: sessionId, note })
  if (status === 'done') return say(`middle: ${result}`)
  return call('claude_status', { sessionId: child, waitSeconds: 50 })
}

function top(told: Told | undefined, child: string | undefined): Message {
  if (!told) return call('claude_start', { prompt: MIDDLE, nested: true })
  const { status, questionsBelow: [asked] = [], result } = told
  if (asked) return call('claude_respond', { sessionId: asked.sessionId, id: asked.id, answers: ['allow'] })
  if (status === 'done') return say(`top: ${result}`)
  return call('claude_status', { sessionId: child, waitSeconds: 50 })
}

/** What the tools have told so far, the last one last. */
function toldBy({ body }: ModelRequest): Told[] {
  return body.messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return []
    const results = content.filter(({ type }) => type === 'tool_result')
    return results.map((result) => JSON.parse(textIn(result['content'])) as Told)
  })
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as { text: string }[]).map(({ text }) => text).join('')
}
