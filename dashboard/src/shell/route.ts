import { signal } from '@preact/signals'

/** What the address names: `#/` the inbox, `#/q/ID` a question, `#/sessions`, `#/start` the form that starts one, `#/s/ID` a session, `#/s/ID/QUESTION` the place of a question in it, `#/notices`. */
type Route =
  | { readonly page: 'inbox'; readonly questionId?: string }
  | {
      readonly page: 'sessions'
      readonly sessionId?: string | undefined
      readonly questionId?: string | undefined
      readonly isStarting?: boolean
    }
  | { readonly page: 'notices' }

export const route = signal<Route>(routeOf(location.hash))

addEventListener('hashchange', () => (route.value = routeOf(location.hash)))

/** At once: the browser reports a changed address a moment later, and a key in between would reach a question that is left. */
export function goTo(hash: string): void {
  location.hash = hash
  route.value = routeOf(hash)
}

function routeOf(hash: string): Route {
  const [, kind, id, questionId] = /^#\/(\w*)(?:\/([\w.-]+))?(?:\/([\w.-]+))?$/.exec(hash) ?? []
  if (kind === 's' && id !== undefined) return { page: 'sessions', sessionId: id, questionId }
  if (kind === 'start') return { page: 'sessions', isStarting: true }
  if (kind === 'sessions' || kind === 'notices') return { page: kind }
  return kind === 'q' && id !== undefined ? { page: 'inbox', questionId: id } : { page: 'inbox' }
}
