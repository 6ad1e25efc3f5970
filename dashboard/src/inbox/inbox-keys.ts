import { route } from '../shell/route.ts'
import {
  answerSelected,
  choose,
  dialog,
  focusedId,
  isEditing,
  move,
  selected,
  stepBack,
  toggleSelected,
} from './inbox-state.ts'

export const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j k', 'next, previous question'],
  ['a', 'allow once'],
  ['s', 'do not ask again: allow it, and remember that, here or more widely; a second s confirms'],
  ['r', 'after s: the next wider rule; y is the second yes where one is needed'],
  ['d', 'deny, with a reason'],
  ['c', 'of a question or a form: dismiss it for good, without an answer; a second c confirms'],
  ['e', 'edit, then allow'],
  ['t', 'give it more time'],
  ['x', 'select; A allows and D denies all that are selected'],
  ['Esc', 'back'],
  ['g s, g i', 'sessions, inbox'],
  ['?', 'this help'],
]

/** Letters belong to the text that is being typed, and to the browser with a modifier. */
function isForText({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

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
