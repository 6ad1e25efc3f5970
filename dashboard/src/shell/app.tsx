import { useEffect } from 'preact/hooks'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { connection } from '../hub/connection.ts'
import { followState } from '../hub/hub-state.ts'
import { SessionsPage } from '../sessions/sessions-page.tsx'
import { Banner } from './banner.tsx'
import { Header } from './header.tsx'
import { route } from './route.ts'
import { SignInPage } from './sign-in.tsx'

export function App() {
  const isSignedIn = connection.value !== 'signed out'
  useEffect(() => {
    if (!isSignedIn) return
    const over = new AbortController()
    void followState(over.signal)
    return () => over.abort()
  }, [isSignedIn])
  if (!isSignedIn) return <SignInPage />
  return (
    <>
      <Header />
      <Banner />
      {route.value.page === 'sessions' ? <SessionsPage /> : <InboxPage />}
    </>
  )
}
