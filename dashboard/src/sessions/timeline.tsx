import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { subjectOf } from '../../../src/command-line/views/log-lines.ts'
import { clockTime, labelOf, span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { useLoaded } from '../hub/loaded.ts'
import { onStep, sessions } from '../hub/hub-state.ts'

/** What was asked in a session and in those below it: when, what, who answered, and how long it took. */
export function Timeline({ sessionId }: { readonly sessionId: string }) {
  const ids = familyOf(sessionId)
  const changes = useSignal(0)
  const decisions = useLoaded(async () => {
    const pages = await Promise.all(ids.map((id) => hub.call('decisions', { sessionId: id, limit: 100 })))
    return pages.flat().toSorted((a, b) => b.openedAt - a.openedAt)
  }, [ids.join(), changes.value])
  useEffect(
    () =>
      onStep(({ sessionId: changed, events }) => {
        if (ids.includes(changed) && events.some(({ event }) => event.type === 'approval.settled'))
          changes.value++
      }),
    [ids.join()],
  )
  if (!decisions.value?.length) return null
  return (
    <details class="timeline">
      <summary>{decisions.value.length} decisions</summary>
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
          {decisions.value.map(
            ({ id, sessionId: own, toolName, input, status, by, openedAt, settledAt, delivery }) => {
              const session = sessions.value?.find((each) => each.id === own)
              return (
                <tr key={id}>
                  <td>{clockTime(openedAt)}</td>
                  <td>{session ? labelOf(session) : own.slice(0, 8)}</td>
                  <td>
                    <a href={`#/q/${id}`}>{visibleText(toolName)}</a> {subjectOf(input)}
                  </td>
                  <td>
                    {status}
                    {by === undefined ? '' : ` by ${visibleText(by)}`}
                    {status === 'allowed' && delivery === 'acknowledged' ? ', ran' : ''}
                  </td>
                  <td>{settledAt === undefined ? '' : span(settledAt - openedAt)}</td>
                </tr>
              )
            },
          )}
        </tbody>
      </table>
    </details>
  )
}

/** The session and all below it. */
function familyOf(sessionId: string): string[] {
  const below = (sessions.value ?? []).filter(({ parentId }) => parentId === sessionId)
  return [sessionId, ...below.flatMap(({ id }) => familyOf(id))]
}
