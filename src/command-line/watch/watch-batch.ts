import { UNREAD_MS } from '../dialog/dialog.ts'
import { IGNORED } from '../dialog/dialog-keys.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { questionId, questionLine } from '../views/question-views.ts'
import type { ListedSession } from '../views/session-views.ts'
import type { WatchModel } from './watch-model.ts'

/** One decision over several questions that were marked: it is shown first, and the same key confirms it. */
export interface Batch {
  readonly does: 'allow' | 'deny'
  /** When it was shown. */
  readonly shownAt: number
}

export interface BatchAction {
  readonly type: 'answer all'
  readonly questions: readonly PendingQuestion[]
  readonly approve: boolean
}

/** Marks the question on the screen, or unmarks it. A question with options has no common answer. Pure. */
export function withMark(model: WatchModel): WatchModel {
  const { question } = model.dialog
  if (!question || !HAS_COMMON_ANSWER.has(question.kind)) return model
  const others = model.marked.filter(({ id }) => id !== question.id)
  const isMarked = others.length < model.marked.length
  if (!isMarked && others.length >= MOST)
    return {
      ...model,
      message: `At most ${MOST} at once, so that all of them can be shown before they are decided.`,
    }
  return { ...model, marked: isMarked ? others : [...others, question], batch: undefined }
}

/** What is settled or has changed is no longer marked, and then a decision that was shown is not the one any more. Pure. */
export function stillMarked(model: WatchModel, listed: readonly ListedSession[]): Partial<WatchModel> {
  if (model.marked.length === 0) return {}
  const hashes = new Map(listed.flatMap(({ open }) => open.map(({ id, inputSha256 }) => [id, inputSha256])))
  const marked = model.marked.filter(({ id, inputSha256 }) => hashes.get(id) === inputSha256)
  return marked.length === model.marked.length ? {} : { marked, batch: undefined }
}

/** The keys for marked questions; all keys but those that move belong to them. Pure. */
export function keyForMarked(
  model: WatchModel,
  key: string,
  now: number,
): { model: WatchModel; action?: BatchAction } {
  const { batch, marked } = model
  const does = key === 'a' ? 'allow' : key === 'd' ? 'deny' : undefined
  if (batch?.does === does && batch !== undefined) {
    if (now - batch.shownAt < UNREAD_MS)
      return { model: { ...model, message: IGNORED, batch: { ...batch, shownAt: now } } }
    return {
      model: { ...model, marked: [], batch: undefined },
      action: { type: 'answer all', questions: marked, approve: batch.does === 'allow' },
    }
  }
  if (key === 'escape' && !batch) return { model: { ...model, marked: [] } }
  return { model: { ...model, batch: does && { does, shownAt: now } } }
}

const HAS_COMMON_ANSWER: ReadonlySet<string> = new Set(['tool', 'plan'])
/** As many as are seen at once on a screen of 24 rows. */
const MOST = 8

export function batchRows({ marked, batch }: WatchModel): string[] {
  if (!batch) {
    const count = marked.length
    return [`[a] allow these ${count}  [d] deny these ${count}  [x] mark or unmark  Esc unmarks all`]
  }
  return [
    `${batch.does === 'allow' ? 'Allow' : 'Deny'} all of these, or none:`,
    ...marked.map((question) => `  ${questionId(question)}  ${questionLine(question)}`),
    `[${batch.does === 'allow' ? 'a' : 'd'}] confirm  Esc goes back`,
  ]
}
