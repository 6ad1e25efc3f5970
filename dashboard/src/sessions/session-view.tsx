import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  modeWord,
  shownState,
  titleOf,
  tokenCount,
  waitsThere,
} from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { openOf, sessions } from '../hub/hub-state.ts'
import { showCard } from '../shell/show-card.ts'
import { BudgetView, spentWords } from './budget-fields.tsx'
import { isInTerminal, SessionActions } from './session-actions.tsx'
import { EnterHint, PromptField } from './prompt-field.tsx'
import { SessionGrants } from '../remembered/session-grants.tsx'
import type { ListedSession } from './session-tree.ts'
import { Timeline } from './timeline.tsx'
import { TranscriptView } from '../transcript/transcript-view.tsx'

interface SessionProps {
  readonly sessionId: string
  /** The question whose place in the transcript is to be shown. */
  readonly questionId?: string | undefined
}

/** One session: what it is, what waits, what it said and did, and a line to say something to it. */
export function SessionView({ sessionId, questionId }: SessionProps) {
  const session = sessions.value?.find(({ id }) => id === sessionId)
  useEffect(showCard, [sessionId, session === undefined])
  if (!session)
    return (
      <p class="card">{sessions.value === undefined ? 'Reading …' : 'There is no such session any more.'}</p>
    )
  const open = openOf(sessionId)
  const there = waitsThere(session, open.length)
  return (
    <article class="card" aria-labelledby="session-title">
      <h2 id="session-title">{titleOf(session)}</h2>
      <Facts session={{ ...session, open: open.length }} />
      {there !== undefined && <p class="attention">It {there}.</p>}
      <BudgetView key={`budget ${session.id}`} sessionId={session.id} />
      {open.length > 0 && (
        <p class="attention">
          It needs you:{' '}
          {open.map(({ id, shortId }) => (
            <Fragment key={id}>
              <a class="button" href={`#/q/${id}`}>
                Answer {visibleText(shortId ?? id.slice(0, 8))}
              </a>{' '}
            </Fragment>
          ))}
        </p>
      )}
      {storedScope() === 'operate' && <SessionActions key={session.id} session={session} />}
      <SessionGrants sessionId={session.id} lastSeq={session.lastSeq} />
      <Timeline key={`timeline ${session.id}`} sessionId={session.id} />
      <TranscriptView key={session.id} sessionId={session.id} questionId={questionId} />
      {storedScope() === 'operate' &&
        (isInTerminal(session) ? (
          <p class="faint">It is open in a terminal: speak to it there. When that has ended, you can here.</p>
        ) : (
          <Say sessionId={session.id} />
        ))}
    </article>
  )
}

function Facts({ session }: { readonly session: ListedSession }) {
  const { workingDirectory, costUsd, turn, model, contextTokens, parentId, error } = session
  const parent = sessions.value?.find(({ id }) => id === parentId)
  const facts = [
    shownState(session),
    visibleText(workingDirectory),
    `mode ${modeWord(session)}`,
    ...(model === undefined ? [] : [visibleText(model)]),
    `${turn} ${turn === 1 ? 'turn' : 'turns'}`,
    ...spentWords(costUsd),
    ...(contextTokens === undefined ? [] : [`${tokenCount(contextTokens)} tokens in context`]),
  ]
  return (
    <>
      <p class="faint">{facts.join(' · ')}</p>
      {parent && (
        <p class="faint">
          started by <a href={`#/s/${parent.id}`}>{titleOf(parent)}</a>
        </p>
      )}
      {error && <p role="alert">{visibleText(error.message)}</p>}
    </>
  )
}

function Say({ sessionId }: { readonly sessionId: string }) {
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const send = async (form: HTMLFormElement) => {
    const typed = new FormData(form).get('content')
    const content = typeof typed === 'string' ? typed.trim() : ''
    if (content === '' || isSending.peek()) return
    problem.value = undefined
    isSending.value = true
    try {
      await hub.call('startTurn', { sessionId, content })
      form.reset()
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
    isSending.value = false
  }
  return (
    <form
      class="answer-bar"
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <PromptField label="Say something to it" name="content" rows={2} />
      <button type="submit">Send</button> <EnterHint does="sends it" />
    </form>
  )
}
