import { HeldTerminal } from '../terminal/held-terminal.ts'

/** Resolves when the person presses Enter; Ctrl-C aborts. Any other key is answered by `onUnclear`, once. */
export function enterKey(stop: AbortController, onUnclear: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isExplained = false
    const end = () => {
      held.close()
      resolve()
    }
    const held = new HeldTerminal(process.stdin, {
      onKey: (key) => {
        if (key === 'ctrl-c') return stop.abort()
        if (key === 'enter') return end()
        if (!isExplained) onUnclear()
        isExplained = true
      },
      onRelease: () => {},
      onTake: () => {},
      onGone: () => stop.abort(),
    })
    stop.signal.addEventListener('abort', end, { once: true })
  })
}
