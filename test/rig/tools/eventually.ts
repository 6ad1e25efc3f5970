import { setTimeout } from 'node:timers/promises'

/**
 * Waits until `attempt` no longer throws: for what another process does and reports to nobody. The limit is for a
 * hang; the last failure is what the test shows then.
 */
export async function eventually<T>(attempt: () => Promise<T> | T, ms = 60_000): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await setTimeout(10)
  }
}
