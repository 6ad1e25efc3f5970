import { signal } from '@preact/signals'
import {
  modeWord,
  span,
  shownState,
  titleOf,
  waitsThere,
} from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { openOf, sessions } from '../hub/hub-state.ts'
import { now } from '../shell/clock.ts'
import { route } from '../shell/route.ts'
import { spentWords, usedOfBudget } from './budget-fields.tsx'
import { foundSessions, sessionRows } from './session-tree.ts'

/** Kept while the person looks at another page. */
const filter = signal('')

export function SessionList() {
  const all = sessions.value
  if (all === undefined) return <p aria-busy="true">Reading the sessions …</p>
  if (all.length === 0) return <p>There are no sessions yet.</p>
  const current = route.value.page === 'sessions' ? route.value.sessionId : undefined
  const cost = all.reduce((sum, { costUsd }) => sum + costUsd, 0)
  const found = foundSessions(
    all.map((session) => ({ ...session, open: openOf(session.id).length })),
    filter.value,
  )
  return (
    <>
      <input
        type="search"
        aria-label="Find sessions by name, folder or state"
        placeholder="Find: name, folder, state"
        value={filter.value}
        onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
      />
      <ul class="sessions">
        {sessionRows(found).map(({ session, depth }) => {
          const { id, workingDirectory, costUsd, updatedAt, open = 0 } = session
          const state = shownState(session)
          const there = waitsThere(session, open)
          const mode = modeWord(session)
          const [used] = usedOfBudget(id)
          const facts = [
            visibleText(workingDirectory),
            ...(mode === 'default' ? [] : [mode]),
            ...(used === undefined ? spentWords(costUsd) : [used]),
          ]
          return (
            <li key={id} class={`depth-${Math.min(depth, 3)}${current === id ? ' focused' : ''}`}>
              <span class="age faint">{span(now.value - updatedAt)} ago</span>
              <a href={`#/s/${id}`} aria-current={current === id ? 'page' : undefined}>
                <b>{titleOf(session)}</b>{' '}
                <span class={state === 'needs you' ? 'attention' : 'faint'}>
                  {state}
                  {open > 0 ? ` (${open})` : ''}
                </span>
              </a>
              <p class="faint">
                {there === undefined ? '' : `${there}. `}
                {facts.join(', ')}
              </p>
            </li>
          )
        })}
      </ul>
      <p class="faint">
        {found.length < all.length ? `${found.length} of ` : ''}
        {[`${all.length} ${all.length === 1 ? 'session' : 'sessions'}`, ...spentWords(cost)].join(', ')}
      </p>
    </>
  )
}
