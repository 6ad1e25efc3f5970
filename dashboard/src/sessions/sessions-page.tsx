import { storedScope } from '../hub/device-token.ts'
import { route } from '../shell/route.ts'
import { Conversations } from './conversations.tsx'
import { SessionList } from './session-list.tsx'
import { SessionView } from './session-view.tsx'
import { StartForm } from './start-form.tsx'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './sessions.css'

const NONE = { sessionId: undefined, questionId: undefined }

export function SessionsPage() {
  const { sessionId: id, questionId } = route.value.page === 'sessions' ? route.value : NONE
  return (
    <main class={id === undefined ? 'inbox' : 'inbox with-card'}>
      <section class="list" aria-label="Sessions">
        {storedScope() === 'operate' && <StartForm />}
        <SessionList />
        <Conversations />
      </section>
      {id !== undefined && <SessionView key={id} sessionId={id} questionId={questionId} />}
    </main>
  )
}
