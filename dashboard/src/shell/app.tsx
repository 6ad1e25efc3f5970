import { useEffect } from 'preact/hooks'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { connection } from '../hub/connection.ts'
import { followState } from '../hub/hub-state.ts'
import { Banner } from './banner.tsx'
import { Header } from './header.tsx'
import { KeyHelp, takePageKeys } from './key-help.tsx'
import { lazyPage } from './lazy-page.tsx'
import { route } from './route.ts'

const NoticesPage = lazyPage(async () => (await import('../notices/notices-page.tsx')).NoticesPage)
const SignInPage = lazyPage(async () => (await import('./sign-in.tsx')).SignInPage)
const SessionsPage = lazyPage(async () => (await import('../sessions/sessions-page.tsx')).SessionsPage)

export function App() {
  const isSignedIn = connection.value !== 'signed out'
  useEffect(() => {
    if (!isSignedIn) return
    const over = new AbortController()
    void followState(over.signal)
    watchNoticesUntil(over.signal).catch(() => {})
    return () => over.abort()
  }, [isSignedIn])
  useEffect(takePageKeys, [])
  if (!isSignedIn) return <SignInPage />
  return (
    <>
      <Header />
      <Banner />
      <CurrentPage />
      <KeyHelp />
    </>
  )
}

/** Notices are for a page that nobody sees, so their code comes after the inbox. */
async function watchNoticesUntil(over: AbortSignal): Promise<void> {
  const { watchNotices } = await import('../notices/watch-notices.ts')
  if (!over.aborted) over.addEventListener('abort', watchNotices())
}

function CurrentPage() {
  switch (route.value.page) {
    case 'sessions':
      return <SessionsPage />
    case 'notices':
      return <NoticesPage />
    case 'inbox':
      return <InboxPage />
  }
}
