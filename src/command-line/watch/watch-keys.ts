import { isTyping } from '../dialog/dialog.ts'
import { choicesOf } from '../dialog/dialog-choices.ts'
import { type DialogAction, keyForQuestion } from '../dialog/dialog-keys.ts'
import type { Key } from '../terminal/terminal-keys.ts'
import { isEmptyLine } from '../terminal/typed-line.ts'
import { type BatchAction, keyForMarked, withMark } from './watch-batch.ts'
import { inTerminal } from '../views/session-words.ts'
import { selectedIn, selecting, type WatchModel } from './watch-model.ts'

export type WatchAction =
  | Exclude<DialogAction, { readonly type: 'show' }>
  | { readonly type: 'interrupt' | 'attach'; readonly sessionId: string }
  | BatchAction
  | { readonly type: 'leave' }

export interface WatchReaction {
  readonly model: WatchModel
  readonly action?: WatchAction
}

/** Pure. Keys that move and look around come first; all others belong to the question, and all do while a line is typed. */
export function keyPressed(before: WatchModel, key: Key, now: number): WatchReaction {
  if (key === 'ctrl-c') return { model: before, action: { type: 'leave' } }
  const letter = typeof key === 'object' ? key.text : key
  if (before.awaySince !== undefined)
    return letter === 'q' ? { model: before, action: { type: 'leave' } } : { model: before }
  const model = { ...before, message: '' }
  if (model.view === 'help') return { model: { ...model, view: 'list' } }
  const isForQuestion = (isTyping(model.dialog) && !isMove(key, model)) || isConfirming(model, letter)
  const own = isForQuestion ? undefined : ownKey(model, letter, now)
  if (own) return own
  if (model.marked.length > 0) return keyForMarked(model, letter, now)
  const { dialog, action } = keyForQuestion(model.dialog, key, now)
  if (action?.type === 'show') return { model: { ...model, dialog, view: 'detail', scroll: 0 } }
  return { model: { ...model, dialog }, ...(action ? { action } : {}) }
}

/** What would be remembered is on the screen, and this key changes or confirms it. */
function isConfirming({ dialog, marked }: WatchModel, letter: string): boolean {
  if (marked.length > 0 || dialog.step === 'choose') return false
  return choicesOf(dialog).some(({ key }) => key === letter)
}

/** Arrows leave a question for which nothing is typed yet. */
function isMove(key: Key, { dialog }: WatchModel): boolean {
  return (key === 'up' || key === 'down') && isEmptyLine(dialog.draft)
}

function ownKey(model: WatchModel, key: string, now: number): WatchReaction | undefined {
  const { selected, view } = model
  switch (key) {
    case 'j':
    case 'down':
      return { model: moved(model, 1, now) }
    case 'k':
    case 'up':
      return { model: moved(model, -1, now) }
    case 'page-down':
      return { model: scrolled(model, PAGE) }
    case 'page-up':
      return { model: scrolled(model, -PAGE) }
    case 'n':
      return { model: nextOpen(model, now) }
    case 'x':
      return { model: withMark(model) }
    case '?':
      return { model: { ...model, view: 'help' } }
    case 'enter':
      return selected === undefined ? { model } : { model: { ...model, view: 'detail', scroll: 0 } }
    case 'q':
      return view === 'detail' ? { model: { ...model, view: 'list' } } : { model, action: { type: 'leave' } }
    case 'escape':
      return view === 'detail' && model.dialog.step === 'choose'
        ? { model: { ...model, view: 'list' } }
        : undefined
    case 'o':
      return { model, ...forOwnSession(model, 'attach') }
    case 'i':
      return { model, ...forOwnSession(model, 'interrupt') }
    default:
      return undefined
  }
}

/** What a terminal does is typed there: nothing is sent to it, and the person reads why. */
function forOwnSession(model: WatchModel, type: 'interrupt' | 'attach'): Partial<WatchReaction> {
  const { session } = selectedIn(model) ?? {}
  if (!session) return {}
  const there = inTerminal(session)
  return there === undefined
    ? { action: { type, sessionId: session.id } }
    : { model: { ...model, message: there } }
}

function moved(model: WatchModel, by: number, now: number): WatchModel {
  if (model.view === 'detail') return scrolled(model, by)
  const { listed, selected } = model
  const at = listed.findIndex(({ session }) => session.id === selected)
  const next = listed[Math.min(Math.max(at + by, 0), listed.length - 1)]
  return selecting(model, next?.session.id, now)
}

/** The layout knows where the text ends, and stops there. */
function scrolled(model: WatchModel, by: number): WatchModel {
  return { ...model, scroll: Math.max(0, model.scroll + by) }
}

/** The next session that needs the person, from the selected one on, around the end. */
function nextOpen(model: WatchModel, now: number): WatchModel {
  const { listed, selected } = model
  const at = listed.findIndex(({ session }) => session.id === selected)
  const next = [...listed.slice(at + 1), ...listed.slice(0, at + 1)].find(({ open }) => open.length > 0)
  return next ? selecting(model, next.session.id, now) : model
}

const PAGE = 10
