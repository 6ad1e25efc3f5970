import { choicesOf } from '../dialog/dialog-choices.ts'
import type { Dialog } from '../dialog/dialog.ts'
import { wrongNumberLine } from '../dialog/dialog-help.ts'
import { type DialogReaction, isUnread, keyForQuestion } from '../dialog/dialog-keys.ts'
import type { Key } from '../terminal/terminal-keys.ts'
import { EMPTY_LINE, lineAfterKey, textOf } from '../terminal/typed-line.ts'

/** Choices by number and Enter, for a screen on which nothing is repainted. Pure. */
export function numberedKey(dialog: Dialog, key: Key, now: number): DialogReaction {
  const choices = choicesOf(dialog)
  if (choices.length === 0 || key === 'escape' || isUnread(dialog, now))
    return keyForQuestion(dialog, key, now)
  if (key !== 'enter')
    return { dialog: { ...dialog, note: undefined, draft: lineAfterKey(dialog.draft, key) } }
  const typed = textOf(dialog.draft).trim()
  const choice = choices[Number(typed) - 1]
  const cleared = { ...dialog, draft: EMPTY_LINE }
  if (choice) return keyForQuestion(cleared, { text: choice.key }, now)
  const note = typed === '' ? undefined : [wrongNumberLine(typed, choices.length)]
  return { dialog: { ...cleared, note } }
}
