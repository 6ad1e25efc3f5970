import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import { type Dialog, emptyDialog, unread, withQuestion } from '../dialog/dialog.ts'
import { byUrgency, type ListedSession } from '../views/session-views.ts'
import { stateWord } from '../views/session-words.ts'
import { type Batch, stillMarked } from './watch-batch.ts'

/** The live screen: a list, and the question of the selected session. Pure. */
export interface WatchModel {
  readonly listed: readonly ListedSession[]
  /** By id, so that the selection stays where it is when the list is sorted anew. */
  readonly selected: string | undefined
  /** A key counts only for the question that is on the screen. */
  readonly dialog: Dialog
  /** `detail` has the whole question, from row `scroll` on. */
  readonly view: 'list' | 'detail' | 'help'
  readonly scroll: number
  /** Since when the hub is away: keys do nothing until it is back. */
  readonly awaySince: number | undefined
  /** Questions that are decided together. */
  readonly marked: readonly PendingQuestion[]
  readonly batch?: Batch | undefined
  /** What a person should know, until the next key. */
  readonly message: string
}

export function initialWatchModel(mayEdit: boolean): WatchModel {
  return {
    listed: [],
    selected: undefined,
    dialog: emptyDialog({ mayEdit, repliesAtOnce: false }),
    view: 'list',
    scroll: 0,
    awaySince: undefined,
    marked: [],
    message: '',
  }
}

/** Ended sessions are not shown. */
export function withSessions(
  model: WatchModel,
  sessions: readonly Session[],
  questions: readonly PendingQuestion[],
  now: number,
): WatchModel {
  const listed = byUrgency(sessions, questions).filter(({ session }) => stateWord(session) !== 'ended')
  const isThere = listed.some(({ session }) => session.id === model.selected)
  return selecting(
    { ...model, listed, ...stillMarked(model, listed) },
    isThere ? model.selected : listed[0]?.session.id,
    now,
  )
}

/** The question on the screen stays there while it is open; then the oldest of the selected session is shown. */
export function selecting(model: WatchModel, selected: string | undefined, now: number): WatchModel {
  const open = selectedIn({ ...model, selected })?.open ?? []
  const before = model.dialog.question?.id
  const dialog = withQuestion(model.dialog, open.find(({ id }) => id === before) ?? open[0], now)
  const isOther = dialog.question?.id !== before || selected !== model.selected
  // The whole text of one question must not turn into that of another while it is read.
  return { ...model, selected, dialog, ...(isOther ? { view: inList(model), scroll: 0 } : {}) }
}

function inList({ view }: WatchModel): WatchModel['view'] {
  return view === 'detail' ? 'list' : view
}

export function selectedIn({ listed, selected }: WatchModel): ListedSession | undefined {
  return listed.find(({ session }) => session.id === selected)
}

export function withPresence(model: WatchModel, awaySince: number | undefined, now: number): WatchModel {
  return { ...model, awaySince, dialog: unread(model.dialog, now) }
}
