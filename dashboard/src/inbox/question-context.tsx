import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { useLoaded } from '../hub/loaded.ts'
import { sessions } from '../hub/hub-state.ts'

const EVENTS = 60
const SHOWN = 5
const MAX_TEXT = 400

/** What the session was given to do, and what it did right before it asked. */
export function QuestionContext({ question }: { readonly question: PendingQuestion }) {
  const lines = useLoaded(async () => {
    const { sessionId } = question
    const last = sessions.peek()?.find(({ id }) => id === sessionId)?.lastSeq ?? 0
    const after = Math.max(0, last - EVENTS)
    const { events } = await hub.call('readEvents', { sessionId, after, limit: EVENTS })
    return linesBefore(events, question)
  }, [question.id])
  if (!lines.value?.length) return null
  return (
    <details class="context" open>
      <summary>Before this</summary>
      <ol>
        {lines.value.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
    </details>
  )
}

/** The last things before a question, oldest first. Pure. */
function linesBefore(
  events: readonly StoredEvent[],
  { id, toolUseId }: Pick<PendingQuestion, 'id' | 'toolUseId'>,
): string[] {
  const end = events.findIndex(({ event }) => event.type === 'approval.opened' && event.approvalId === id)
  const before = (end === -1 ? events : events.slice(0, end)).filter(
    ({ event }) => event.type !== 'tool.used' || event.toolUseId !== toolUseId,
  )
  return before.flatMap(({ event }) => lineOf(event) ?? []).slice(-SHOWN)
}

function lineOf(event: StoredEvent['event']): string | undefined {
  switch (event.type) {
    case 'prompt.accepted':
      return `Prompt: ${shortened(typeof event.content === 'string' ? event.content : '(with images or documents)')}`
    case 'text':
      return `It said: ${shortened(event.text)}`
    case 'tool.used':
      return `It called ${visibleText(event.toolName)}: ${shortened(JSON.stringify(event.input))}`
    case 'tool.finished':
      return event.isError ? `The call failed: ${shortened(event.content)}` : undefined
    case 'approval.settled':
      return event.decision && 'behavior' in event.decision ? `A question was ${event.status}.` : undefined
    default:
      return undefined
  }
}

function shortened(text: string): string {
  const visible = visibleText(text)
  return visible.length > MAX_TEXT
    ? `${visible.slice(0, MAX_TEXT)} … (${visible.length} characters)`
    : visible
}
