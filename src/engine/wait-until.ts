import type { SessionKey } from '../base/ids.ts'
import { ANY, type Doorbells } from '../sessions/record/session-doorbells.ts'
import type { Session } from '../sessions/record/session.ts'

/**
 * Waits until `find` returns sessions and `isNew` accepts them. Subscribes to the doorbell before the first `find`, so that
 * no change in between is missed; a ring only triggers another `find`. Returns the sessions found last when they are new or
 * time is up, and nothing when the signal is aborted.
 */
export async function waitUntil(
  doorbells: Doorbells,
  { find, isNew = async () => true, sessionIds, ms, signal }: WaitOptions,
): Promise<Session[]> {
  const deadline = performance.now() + ms
  const { doorbell, stop } = doorbells.listen(...(sessionIds ?? [ANY]))
  try {
    for (;;) {
      const found = await find()
      const left = deadline - performance.now()
      if (left <= 0 || (found.length > 0 && (await isNew(found)))) return found
      if (signal?.aborted) return []
      await doorbell.next(left, signal).catch(() => {}) // aborted: check once more, then return
    }
  } finally {
    stop()
  }
}

interface WaitOptions {
  readonly find: () => Promise<Session[]>
  readonly isNew?: ((found: readonly Session[]) => Promise<boolean>) | undefined
  readonly sessionIds: readonly SessionKey[] | undefined
  readonly ms: number
  readonly signal: AbortSignal | undefined
}
