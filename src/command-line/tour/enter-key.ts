import { readKeys } from '../follow/terminal-keys.ts'

/** Resolves when the person presses Enter; Ctrl-C aborts. Any other key is answered by `onUnclear`, once. */
export function enterKey(stop: AbortController, onUnclear: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isExplained = false
    const end = () => {
      keys.close()
      resolve()
    }
    const keys = readKeys(process.stdin, (key) => {
      if (key === 'ctrl-c') return stop.abort()
      if (key === 'enter') return end()
      if (!isExplained) onUnclear()
      isExplained = true
    })
    stop.signal.addEventListener('abort', end, { once: true })
  })
}
