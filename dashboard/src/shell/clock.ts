import { signal } from '@preact/signals'

/** The time, each second: ages and time limits on the page move with it. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1_000)
document.addEventListener('visibilitychange', () => (now.value = Date.now()))
