import { useEffect, useRef } from 'preact/hooks'

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

/** The keys of the page, in a dialog. */
export function KeyList({ close }: { readonly close: () => void }) {
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
