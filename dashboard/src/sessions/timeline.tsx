import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { subjectOf } from '../../../src/command-line/views/log-lines.ts'
import { clockTime, span } from '../../../src/command-line/views/session-words.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { useLoaded } from '../hub/loaded.ts'
import { onStep, questions, sessions, titleOfId } from '../hub/hub-state.ts'
import { now } from '../shell/clock.ts'
import { familyOf } from './session-tree.ts'
import { decidedInput, outcomeOf, timelineOf } from './timeline-rows.ts'

const FIRST = 100
const MOST = 500

/** What was asked in a session and in all below it: when, what, who answered, how long it took, and whether it ran. */
export function Timeline({ sessionId }: { readonly sessionId: string }) {
  const ids = familyOf(sessionId, sessions.value ?? [])
  const [changes, limit] = [useSignal(0), useSignal(FIRST)]
  const decided = useLoaded(
    () => hub.call('decisions', { sessionId, below: true, limit: limit.value }),
    [sessionId, ids.size, changes.value, limit.value],
  )
  useEffect(
    () =>
      onStep(({ sessionId: changed, events }) => {
        if (ids.has(changed) && events.some(({ event }) => CHANGES.has(event.type))) changes.value++
      }),
    [[...ids].join()],
  )
  const open = (questions.value ?? []).filter((question) => ids.has(question.sessionId))
  const rows = timelineOf(decided.value ?? [], open)
  if (rows.length === 0) return null
  const isWhole = (decided.value?.length ?? 0) < limit.value || limit.value === MOST
  return (
    <details class="timeline">
      <summary>
        Timeline: {rows.length} {rows.length === 1 ? 'question' : 'questions'}
        {open.length > 0 ? `, ${open.length} open` : ''}
        {ids.size > 1 ? `, in ${ids.size} sessions` : ''}
      </summary>
      {!isWhole && (
        <button type="button" class="small" onClick={() => (limit.value = MOST)}>
          Show earlier ones
        </button>
      )}
      <table>
        <thead>
          <tr>
            <th>asked</th>
            <th>session</th>
            <th>what</th>
            <th>answer</th>
            <th>after</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((question) => (
            <Row key={question.id} question={question} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

const CHANGES: ReadonlySet<string> = new Set(['approval.settled', 'tool.finished'])

function Row({ question }: { readonly question: PendingQuestion }) {
  const { id, sessionId, toolName, status, openedAt, settledAt } = question
  return (
    <tr>
      <td>{clockTime(openedAt)}</td>
      <td>
        <a href={`#/s/${sessionId}/${id}`} title="Show it in the transcript">
          {titleOfId(sessionId)}
        </a>
      </td>
      <td>
        <a href={`#/q/${id}`}>{visibleText(toolName)}</a> {visibleText(subjectOf(decidedInput(question)))}
      </td>
      <td class={status === 'pending' ? 'attention' : ''}>{outcomeOf(question)}</td>
      <td>{span((settledAt ?? now.value) - openedAt)}</td>
    </tr>
  )
}
