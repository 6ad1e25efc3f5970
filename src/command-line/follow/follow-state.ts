import { type Dialog, emptyDialog, firstStep } from '../dialog/dialog.ts'
import { type DialogAction, isUnread, keyForQuestion, typedInto } from '../dialog/dialog-keys.ts'
import type { Key } from '../terminal/terminal-keys.ts'

/** What a person at a terminal does with the session that they follow. Pure. */
export interface FollowState {
  readonly dialog: Dialog
  /** The prompt that is being typed; it stays while a question is answered. */
  readonly draft: string
  readonly isBusy: boolean
  /** Since when the hub is away: keys do nothing until it is back. */
  readonly awaySince: number | undefined
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

export function initialFollowState(mayEdit: boolean): FollowState {
  return {
    dialog: emptyDialog({ mayEdit, repliesAtOnce: true }),
    draft: '',
    isBusy: true,
    awaySince: undefined,
  }
}

/** `keyFor` is how a question takes keys: by letters, or by numbers. */
export function pressed(state: FollowState, key: Key, now: number, keyFor = keyForQuestion): Reaction {
  if (state.awaySince !== undefined)
    return key === 'ctrl-c' ? { state, action: { type: 'leave' } } : { state }
  if (key === 'ctrl-c') return interrupted(state)
  const { dialog, draft } = state
  if (!dialog.question) return promptKey(state, key)
  // The person is in the middle of a prompt: the keys are part of it.
  const isPrompt = draft !== '' && isUnread(dialog, now) && (typeof key === 'object' || key === 'backspace')
  const { dialog: next, action } = keyFor(dialog, key, now)
  return {
    state: { ...state, dialog: next, draft: isPrompt ? typedInto(draft, key) : draft },
    ...(action ? { action } : {}),
  }
}

function promptKey(state: FollowState, key: Key): Reaction {
  const text = state.draft.trim()
  if (key === 'escape') return { state: { ...state, draft: '' } }
  if (key !== 'enter') return { state: { ...state, draft: typedInto(state.draft, key) } }
  return text === '' ? { state } : { state: { ...state, draft: '' }, action: { type: 'say', text } }
}

/** First it clears what is typed, then it ends the turn, then it leaves the session as it is. */
function interrupted(state: FollowState): Reaction {
  const { dialog, draft } = state
  const { question } = dialog
  const isBegun = question !== undefined && (dialog.draft !== '' || dialog.step !== firstStep(dialog))
  if (question && isBegun)
    return {
      state: {
        ...state,
        dialog: { ...dialog, step: firstStep(dialog), draft: '', replies: [], edited: undefined },
      },
    }
  if (draft !== '') return { state: { ...state, draft: '' } }
  if (state.isBusy) return { state: { ...state, isBusy: false }, action: { type: 'interrupt' } }
  return { state, action: { type: 'leave' } }
}
