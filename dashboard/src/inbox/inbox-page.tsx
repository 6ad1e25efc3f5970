import { computed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { connection } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { questions } from '../hub/hub-state.ts'
import { showCard } from '../shell/show-card.ts'
import { pressKey } from './inbox-keys.ts'
import { dialog, focusedId, move, problem, settled, batch } from './inbox-state.ts'
import { lazyPage } from '../shell/lazy-page.tsx'
import { QuestionCard } from './question-card.tsx'
import { QuestionList } from './question-list.tsx'

const BatchNote = lazyPage(async () => (await import('../answered/batch-note.tsx')).BatchNote)
const SettledCard = lazyPage(async () => (await import('../answered/settled-card.tsx')).SettledCard)

export function InboxPage() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (pressKey(event)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const open = questions.value
  if (open === undefined)
    return (
      <main aria-busy="true">
        <p>Reading what waits …</p>
      </main>
    )
  return (
    <main class={focusedId.value === undefined ? 'inbox' : 'inbox with-card'}>
      <section class="list" aria-label="Open questions">
        {open.length > 0 ? <QuestionList open={open} /> : <NothingWaits />}
        {/* Where the selection was: it moves nothing that is about to be clicked. */}
        {batch.value && <BatchNote />}
      </section>
      <Focused />
    </main>
  )
}

/** Only what is known: while the hub is away, a question may be waiting. */
function NothingWaits() {
  return (
    <>
      <p>
        {connection.value === 'live'
          ? 'Nothing waits for you.'
          : 'Nothing waited when the hub was last heard.'}
      </p>
      {storedScope() === 'operate' && (
        <p>
          <a href="#/start">Start a session</a>, or with <code>plexus start</code> at a terminal.
        </p>
      )}
    </>
  )
}

const isAnyOpen = computed(() => (questions.value?.length ?? 0) > 0)

function Focused() {
  const { question } = dialog.value
  // A settled question is read from the hub first: the card is there a moment after it was chosen.
  useEffect(showCard, [focusedId.value, settled.value?.id])
  if (question && question.id === focusedId.value)
    return <QuestionCard key={question.id} question={question} />
  const ended = settled.value
  if (!ended)
    return problem.value === undefined ? null : (
      <p class="card" role="alert">
        {problem.value}
      </p>
    )
  return (
    <article class="card ended">
      <SettledCard />
      {isAnyOpen.value && (
        <div class="answer-bar buttons">
          <button type="button" onClick={() => move(1)}>
            Next question <kbd>j</kbd>
          </button>
        </div>
      )}
    </article>
  )
}
