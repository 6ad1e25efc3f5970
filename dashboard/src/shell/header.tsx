import { questions } from '../hub/hub-state.ts'
import { openHelp } from './key-help.tsx'
import { route } from './route.ts'

export function Header() {
  const count = questions.value?.length
  const { page } = route.value
  return (
    <header>
      <h1 class="unseen">Plexus</h1>
      <nav aria-label="Pages">
        <a href="#/" aria-current={page === 'inbox' ? 'page' : undefined}>
          Inbox{count ? ` (${count})` : ''}
        </a>
        <a href="#/sessions" aria-current={page === 'sessions' ? 'page' : undefined}>
          Sessions
        </a>
        <a href="#/notices" aria-current={page === 'notices' ? 'page' : undefined}>
          Notices
        </a>
        <button type="button" onClick={openHelp}>
          Keys <kbd>?</kbd>
        </button>
      </nav>
    </header>
  )
}
