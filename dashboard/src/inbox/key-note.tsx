import { dialog } from './inbox-state.ts'

/** A key that does nothing without a sign looks like a broken one. It lies over what is above the buttons: nothing moves. */
export function KeyNote() {
  const { note } = dialog.value
  return note ? (
    <p class="key-note" role="status">
      {note.join(' ')}
    </p>
  ) : null
}
