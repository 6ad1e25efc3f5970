import { effect, signal } from '@preact/signals'
import { isForText } from './is-for-text.ts'
import { lazyPage } from './lazy-page.tsx'
import { GOING_MS, NO_KEYS, type PageKeys, pressPageKey } from './page-keys.ts'
import { goTo } from './route.ts'

const KeyList = lazyPage(async () => {
  const { KeyList: List } = await import('./key-list.tsx')
  return () => <List close={closeHelp} />
})

/** So long after the last letter of a text a person may still be typing it, though its field is gone: they may have paused. */
const PAUSE_MS = 10_000
/** Once a letter came that no field took, the sentence is over after this long. */
const TYPING_MS = 1_000

const keys = signal<PageKeys>(NO_KEYS)
let lastTyped = Number.NEGATIVE_INFINITY
let isRest = false

/** Takes the keys of every page before a page sees them. Returns how to end it. */
export function takePageKeys(): () => void {
  addEventListener('keydown', onKey, true)
  // Whoever clicks has left the text by themselves.
  addEventListener('pointerdown', endText, true)
  return () => {
    removeEventListener('keydown', onKey, true)
    removeEventListener('pointerdown', endText, true)
  }
}

function endText(): void {
  lastTyped = Number.NEGATIVE_INFINITY
}

function onKey(event: KeyboardEvent): void {
  const { key, timeStamp } = event
  if (isForText(event)) {
    isRest = false
    lastTyped = key.length === 1 ? timeStamp : Number.NEGATIVE_INFINITY
    return
  }
  // The field went away under the person's hands: what follows is the rest of a sentence, not a decision.
  const isTyping = key.length === 1 && timeStamp - lastTyped < (isRest ? TYPING_MS : PAUSE_MS)
  if (isTyping) [lastTyped, isRest] = [timeStamp, true]
  const result = isTyping ? { keys: keys.peek(), isTaken: true } : pressPageKey(keys.peek(), key, timeStamp)
  keys.value = result.keys
  if ('go' in result && result.go !== undefined) goTo(result.go)
  if (!result.isTaken) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** The sign that `g` waits is gone when the wait is over. */
effect(() => {
  if (keys.value.goingSince === undefined) return
  const timer = setTimeout(() => (keys.value = NO_KEYS), GOING_MS)
  return () => clearTimeout(timer)
})

export function KeyHelp() {
  if (keys.value.goingSince !== undefined)
    return (
      <p class="going" role="status">
        <kbd>g</kbd> and then: <kbd>i</kbd> inbox, <kbd>s</kbd> sessions, <kbd>n</kbd> notices
      </p>
    )
  return keys.value.isHelp ? <KeyList /> : null
}

export function openHelp(): void {
  keys.value = { isHelp: true }
}

function closeHelp(): void {
  keys.value = NO_KEYS
}
