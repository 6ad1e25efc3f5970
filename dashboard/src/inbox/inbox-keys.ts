import { isForText } from '../shell/is-for-text.ts'
import { route } from '../shell/route.ts'
import { choose, dialog, focusedId, isEditing, move, stepBack } from './inbox-state.ts'
import { answerSelected, selected, toggleSelected } from './selection.ts'

/** Returns whether the key did something. */
export function pressKey(event: KeyboardEvent): boolean {
  if (event.key === 'Escape' && route.peek().page === 'inbox') {
    stepBack()
    return true
  }
  if (isForText(event) || event.repeat || route.peek().page !== 'inbox' || isEditing.peek()) return false
  switch (event.key) {
    case 'j':
      move(1)
      return true
    case 'k':
      move(-1)
      return true
    case 'x': {
      const id = focusedId.peek()
      if (id !== undefined) toggleSelected(id)
      return true
    }
    case 'A':
    case 'D':
      if (selected.peek().size === 0) return false
      void answerSelected(event.key === 'A')
      return true
    default:
      if (event.key.length !== 1 || dialog.peek().question === undefined) return false
      choose(event.key)
      return true
  }
}
