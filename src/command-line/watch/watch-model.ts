import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import {
  type FollowAction,
  type FollowState,
  initialFollowState,
  type Key,
  pressed,
  withQuestions,
} from '../follow/follow-state.ts'
import { byUrgency, type ListedSession } from '../views/session-views.ts'
import { stateWord } from '../views/session-words.ts'

/** The live screen: a list, and the question of the selected session. Pure. */
export interface WatchModel {
  readonly listed: readonly ListedSession[]
  /** By id, so that the selection stays where it is when the list is sorted anew. */
  readonly selected: string | undefined
  /** The same rules as at a session that is followed: a key counts only for the question that is on the screen. */
  readonly dialog: FollowState
  readonly showsHelp: boolean
}

export const initialWatchModel: WatchModel = {
  listed: [],
  selected: undefined,
  dialog: { ...initialFollowState, isBusy: false },
  showsHelp: false,
}

export type WatchAction =
  | FollowAction
  | { readonly type: 'interrupt session'; readonly sessionId: string }
  | { readonly type: 'attach'; readonly sessionId: string }

/** Ended sessions are not shown. */
export function withSessions(
  model: WatchModel,
  sessions: readonly Session[],
  questions: readonly PendingQuestion[],
  now: number,
): WatchModel {
  const listed = byUrgency(sessions, questions).filter(({ session }) => stateWord(session) !== 'ended')
  const isThere = listed.some(({ session }) => session.id === model.selected)
  return selecting({ ...model, listed }, isThere ? model.selected : listed[0]?.session.id, now)
}

/** The question of the selected session is shown; whatever was typed for another is dropped. */
function selecting(model: WatchModel, selected: string | undefined, now: number): WatchModel {
  const open = model.listed.find(({ session }) => session.id === selected)?.open ?? []
  return { ...model, selected, dialog: withQuestions(model.dialog, open, now) }
}

export function keyPressed(
  model: WatchModel,
  key: Key,
  now: number,
): { model: WatchModel; action?: WatchAction } {
  const letter = typeof key === 'string' ? undefined : key.text
  if (model.showsHelp) return { model: { ...model, showsHelp: false } }
  // While a reason or an answer is typed, every key belongs to it.
  const isTyping = model.dialog.step === 'reason' || model.dialog.step === 'text'
  if (key === 'ctrl-c' || (letter === 'q' && !isTyping)) return { model, action: { type: 'leave' } }
  if (!isTyping || model.dialog.draft === '') {
    if (letter === 'j' || key === 'down') return { model: moved(model, 1, now) }
    if (letter === 'k' || key === 'up') return { model: moved(model, -1, now) }
    if (letter === '?') return { model: { ...model, showsHelp: true } }
  }
  const { selected } = model
  if (!isTyping && selected !== undefined) {
    if (letter === 'x') return { model, action: { type: 'interrupt session', sessionId: selected } }
    if (key === 'enter') return { model, action: { type: 'attach', sessionId: selected } }
  }
  if (!model.dialog.question || key === 'up' || key === 'down') return { model }
  const { state, action } = pressed(model.dialog, key, now)
  return { model: { ...model, dialog: state }, ...(action ? { action } : {}) }
}

function moved(model: WatchModel, by: number, now: number): WatchModel {
  const { listed, selected } = model
  const at = listed.findIndex(({ session }) => session.id === selected)
  const next = listed[Math.min(Math.max(at + by, 0), listed.length - 1)]
  return selecting(model, next?.session.id, now)
}
