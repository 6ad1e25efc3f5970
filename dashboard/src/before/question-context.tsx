import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { hub } from '../hub/connection.ts'
import { useLoaded } from '../hub/loaded.ts'
import { dialog } from '../inbox/inbox-state.ts'
import { lastSeqOf } from '../hub/hub-state.ts'
import { type LineBefore, linesBefore, promptBefore } from './lines-before.ts'

const EVENTS = 60
/** The prompt is among the first events of its turn. */
const FIRST_EVENTS = 5

/** Of the question in front of the person. */
export function FocusedContext() {
  const { question } = dialog.value
  return question ? <QuestionContext key={question.id} question={question} /> : null
}

/** What the session was given to do, and what it did right before it asked. */
function QuestionContext({ question }: { readonly question: PendingQuestion }) {
  const lines = useLoaded(() => readBefore(question), [question.id])
  if (!lines.value?.length) return null
  return (
    <details class="context" open>
      <summary>Before this</summary>
      <ol>
        {lines.value.map(({ label, text, isCode }, index) => (
          <li key={index}>
            <b>{label}:</b> {isCode ? <code>{text}</code> : text}
          </li>
        ))}
      </ol>
    </details>
  )
}

async function readBefore(question: PendingQuestion): Promise<LineBefore[]> {
  const { sessionId } = question
  const last = lastSeqOf(sessionId)
  const { events } = await hub.call('readEvents', {
    sessionId,
    after: Math.max(0, last - EVENTS),
    limit: EVENTS,
  })
  const prompt = promptBefore(events, question) ?? (await readPrompt(question))
  return [...(prompt ? [prompt] : []), ...linesBefore(events, question)]
}

/** Of a long turn, whose beginning is not among the last events. */
async function readPrompt(question: PendingQuestion): Promise<LineBefore | undefined> {
  const { sessionId, turn } = question
  const turns = await hub.call('listTurns', { sessionId })
  const first = turns.find(({ number }) => number === turn)?.firstSeq
  if (first === undefined) return undefined
  const { events } = await hub.call('readEvents', { sessionId, after: first - 1, limit: FIRST_EVENTS })
  return promptBefore(events, question)
}
