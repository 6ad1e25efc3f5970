/** More often than proxies and clients give up a silent connection. */
const HEARTBEAT_MS = 15_000

const beats = new Set<() => void>()
let timer: NodeJS.Timeout | undefined

/**
 * Calls `beat` from time to time until the returned function is called. All open responses share one timer, so that an idle
 * hub wakes up once for all of them and not once for each.
 */
export function startHeartbeat(beat: () => void): () => void {
  beats.add(beat)
  timer ??= setInterval(() => {
    for (const each of beats) each()
  }, HEARTBEAT_MS)
  return () => {
    beats.delete(beat)
    if (beats.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
