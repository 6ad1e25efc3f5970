import { ANY, type Doorbells } from '../sessions/record/session-doorbells.ts'
import type { Session } from '../sessions/record/session.ts'

/**
 * Waits until `look` finds a session that needs someone or has ended. Listens before it looks, so nothing that happens in
 * between is missed; a ring only means to look again. What is found and no news does not end it. Returns what it found when
 * there is news or time is up, and nothing when the wait was ended.
 */
export async function waitForSessions(
  doorbells: Doorbells,
  { look, isNews = async () => true, sessionIds, ms, signal }: Waiting,
): Promise<Session[]> {
  const deadline = performance.now() + ms
  const { doorbell, stop } = doorbells.listen(...(sessionIds ?? [ANY]))
  try {
    for (;;) {
      const found = await look()
      const left = deadline - performance.now()
      if (left <= 0 || (found.length > 0 && (await isNews(found)))) return found
      if (signal?.aborted) return []
      await doorbell.next(left, signal).catch(() => {}) // ended: look once more, then return
    }
  } finally {
    stop()
  }
}

interface Waiting {
  readonly look: () => Promise<Session[]>
  readonly isNews?: ((found: readonly Session[]) => Promise<boolean>) | undefined
  readonly sessionIds: readonly string[] | undefined
  readonly ms: number
  readonly signal: AbortSignal | undefined
}
