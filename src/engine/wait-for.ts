import { ANY, type Doorbells } from '../sessions/doorbells.ts'
import type { Session } from '../sessions/session.ts'

/**
 * Waits until `look` finds a session that needs someone or has ended. Listens before it looks, so nothing that happens in
 * between is missed; a ring only means to look again. Returns what it found, or nothing when time is up or the wait was ended.
 */
export async function waitForSessions(
  doorbells: Doorbells,
  { look, sessionIds, ms, signal }: Waiting,
): Promise<Session[]> {
  const deadline = performance.now() + ms
  const { doorbell, stop } = doorbells.listen(...(sessionIds ?? [ANY]))
  try {
    for (;;) {
      const found = await look()
      const left = deadline - performance.now()
      if (found.length > 0 || left <= 0 || signal?.aborted) return found
      await doorbell.next(left, signal).catch(() => {}) // ended: look once more, then return
    }
  } finally {
    stop()
  }
}

interface Waiting {
  readonly look: () => Promise<Session[]>
  readonly sessionIds: readonly string[] | undefined
  readonly ms: number
  readonly signal: AbortSignal | undefined
}
