import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isForText } from './is-for-text.ts'
import { NO_KEYS, type PageKeys, pressPageKey } from './page-keys.ts'

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j k', 'next, previous question'],
  ['a', 'allow once'],
  ['s', 'do not ask again: allow it and remember that; a second s confirms'],
  ['r', 'after s: the next wider rule; y is the second yes where one is needed'],
  ['d', 'deny, with a reason'],
  ['e', 'edit, then allow'],
  ['c', 'dismiss a question or a form for good, without an answer; a second c confirms'],
  ['t', 'give it more time'],
  ['x', 'select; A allows and D denies all that are selected'],
  ['Esc', 'back'],
  ['g i, g s, g n', 'inbox, sessions, notices'],
  ['?', 'this help'],
]

/** So long after the last letter of a text a person may still be typing it, though its field is gone. */
const TYPING_MS = 1_000

const keys = signal<PageKeys>(NO_KEYS)
let lastTyped = Number.NEGATIVE_INFINITY

/** Takes the keys of every page before a page sees them. Returns how to end it. */
export function takePageKeys(): () => void {
  addEventListener('keydown', onKey, true)
  return () => removeEventListener('keydown', onKey, true)
}

function onKey(event: KeyboardEvent): void {
  const { key, timeStamp } = event
  if (isForText(event)) {
    lastTyped = key.length === 1 ? timeStamp : Number.NEGATIVE_INFINITY
    return
  }
  // The field went away under the person's hands: what follows is the rest of a sentence, not a decision.
  const isTyping = key.length === 1 && timeStamp - lastTyped < TYPING_MS
  if (isTyping) lastTyped = timeStamp
  const result = isTyping ? { keys: keys.peek(), isTaken: true } : pressPageKey(keys.peek(), key)
  keys.value = result.keys
  if ('go' in result && result.go !== undefined) location.hash = result.go
  if (!result.isTaken) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

export function KeyHelp() {
  return keys.value.isHelp ? <Help /> : null
}

function close(): void {
  keys.value = NO_KEYS
}

function Help() {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class="help" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </dialog>
  )
}
