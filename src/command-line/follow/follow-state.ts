import type { PendingQuestion } from '../../engine/engine.ts'
import { questionId } from '../views/question-views.ts'
import { type Dialog, emptyDialog, firstStep, isTyping, withQuestion } from '../dialog/dialog.ts'
import { type DialogAction, isUnread, keyForQuestion } from '../dialog/dialog-keys.ts'
import type { Key } from '../terminal/terminal-keys.ts'
import { EMPTY_LINE, isEmptyLine, lineAfterKey, textOf, type TypedLine } from '../terminal/typed-line.ts'

/** What a person at a terminal does with the session that they follow. Pure. */
export interface FollowState {
  readonly dialog: Dialog
  /** The prompt that is being typed; it stays while a question is answered. */
  readonly draft: TypedLine
  readonly isBusy: boolean
  /** Since when the hub is away: keys do nothing until it is back. */
  readonly awaySince: number | undefined
  /** When Ctrl-C was pressed with a question open: for a moment a second one leaves, and `i` interrupts. */
  readonly leavingAt?: number | undefined
  /** The question for which a line was being typed when it was settled: the rest of that line is dropped. */
  readonly dropped?: string | undefined
  /** What a person should know of their last key, until the next. */
  readonly note?: readonly string[] | undefined
}

export type FollowAction =
  | DialogAction
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'leave' }

export interface Reaction {
  readonly state: FollowState
  readonly action?: FollowAction
}

export function initialFollowState(mayEdit: boolean, leaving = LEAVING): FollowState {
  return {
    dialog: emptyDialog({ mayEdit, repliesAtOnce: true, leaving }),
    draft: EMPTY_LINE,
    isBusy: true,
    awaySince: undefined,
  }
}

/** `keyFor` is how a question takes keys: by letters, or by numbers. */
export function pressed(before: FollowState, key: Key, now: number, keyFor = keyForQuestion): Reaction {
  if (before.awaySince !== undefined)
    return key === 'ctrl-c' ? { state: before, action: { type: 'leave' } } : { state: before }
  if (before.dropped !== undefined) return droppedKey(before, key)
  const state = { ...before, note: undefined, leavingAt: undefined }
  if (key === 'ctrl-c') return interrupted(state, now, isLeaving(before, now))
  if (isLeaving(before, now) && typeof key === 'object' && key.text === 'i') return interruption(state)
  const { dialog, draft } = state
  if (!dialog.question) return promptKey(state, key)
  const { dialog: next, action } = keyFor(dialog, key, now)
  // The person is in the middle of a prompt: the keys are part of it.
  const edited = isUnread(dialog, now) && !isEmptyLine(draft) ? lineAfterKey(draft, key) : draft
  const shown = edited === draft ? next : { ...next, note: undefined }
  return { state: { ...state, dialog: shown, draft: edited }, ...(action ? { action } : {}) }
}

function promptKey(state: FollowState, key: Key): Reaction {
  const text = textOf(state.draft).trim()
  if (key === 'escape') return { state: { ...state, draft: EMPTY_LINE } }
  if (isEmptyLine(state.draft) && typeof key === 'object' && key.text === '?')
    return { state: { ...state, note: PROMPT_KEYS } }
  if (key !== 'enter') return { state: { ...state, draft: lineAfterKey(state.draft, key) } }
  return text === '' ? { state } : { state: { ...state, draft: EMPTY_LINE }, action: { type: 'say', text } }
}

/** The question on the screen is another, or gone. A line that was typed for the one before must reach nothing else. */
export function withShown(
  state: FollowState,
  question: PendingQuestion | undefined,
  now: number,
): FollowState {
  const { question: before, step, draft, replies } = state.dialog
  const isBegun = isTyping(state.dialog) && (step === 'reason' || !isEmptyLine(draft) || replies.length > 0)
  const isGone = before !== undefined && before.id !== question?.id
  const dialog = withQuestion(state.dialog, question, now)
  return {
    ...state,
    dialog,
    ...(isBegun && isGone ? { dropped: questionId(before), leavingAt: undefined } : {}),
  }
}

/** The person may not have seen it yet and types on: only what ends a line ends this. */
function droppedKey(state: FollowState, key: Key): Reaction {
  const isEnd = key === 'enter' || key === 'escape' || key === 'ctrl-c'
  return { state: isEnd ? { ...state, dropped: undefined } : state }
}

/** Whether a second Ctrl-C leaves now. */
export function isLeaving({ leavingAt }: FollowState, now: number): boolean {
  return leavingAt !== undefined && now - leavingAt < LEAVING_MS
}

function interruption(state: FollowState): Reaction {
  const note = ['The turn is interrupted. Ctrl-C again leaves; the session keeps running.']
  return { state: { ...state, isBusy: false, note }, action: { type: 'interrupt' } }
}

/**
 * First it clears what is typed. With a question open a second one leaves, and nothing is lost; otherwise it ends the turn,
 * then it leaves the session as it is.
 */
function interrupted(state: FollowState, now: number, isSecond: boolean): Reaction {
  const { dialog, draft } = state
  const { question } = dialog
  const isBegun = question !== undefined && (!isEmptyLine(dialog.draft) || dialog.step !== firstStep(dialog))
  if (question && isBegun)
    return {
      state: {
        ...state,
        dialog: {
          ...dialog,
          step: firstStep(dialog),
          draft: EMPTY_LINE,
          replies: [],
          edited: undefined,
          remember: undefined,
        },
      },
    }
  if (!isEmptyLine(draft)) return { state: { ...state, draft: EMPTY_LINE } }
  if (question && !isSecond) return { state: { ...state, leavingAt: now } }
  if (!question && state.isBusy) return interruption(state)
  return { state, action: { type: 'leave' } }
}

const LEAVING_MS = 5_000
const LEAVING = 'Ctrl-C twice leaves the session running, with the question open.'
const PROMPT_KEYS = [
  'Enter sends what is typed as the next prompt; Esc clears it.',
  'Ctrl-C interrupts a turn that works; with nothing at work it leaves, and the session keeps running.',
]
