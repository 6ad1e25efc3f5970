import { wrapped } from '../views/columns.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Dialog } from '../dialog/dialog.ts'
import { type CardOptions, editedLines, paintedCard, questionCard } from '../views/question-cards.ts'
import {
  dollars,
  labelOf,
  modeWord,
  oneLine,
  shortFolder,
  shownState,
  waitsThere,
} from '../views/session-words.ts'
import type { LayoutContext, ScreenSize } from './watch-layout.ts'
import { selectedIn, type WatchModel } from './watch-model.ts'

/** All of a question, or of a session that asks nothing, from the row to which it is scrolled. Pure. */
export function detailRows(
  model: WatchModel,
  { columns, rows }: ScreenSize,
  context: LayoutContext,
): string[] {
  const all = allRows(model, columns, context)
  const last = Math.max(0, all.length - rows)
  const first = Math.min(model.scroll, last)
  const shown = all.slice(first, first + rows)
  const left = all.length - first - shown.length
  return left > 0 ? [...shown.slice(0, -1), `… ${left + 1} more rows: j or PgDn`] : shown
}

function allRows(model: WatchModel, columns: number, context: LayoutContext): string[] {
  const listed = selectedIn(model)
  if (!listed) return []
  const { session } = listed
  const { homeFolder, look, now, change, recent = [] } = context
  const facts = [
    shownState(session),
    `in ${shortFolder(session.workingDirectory, homeFolder)}`,
    `mode ${modeWord(session)}`,
  ]
  const cost = session.costUsd === 0 ? [] : [dollars(session.costUsd)]
  const there = waitsThere(session, listed.open.length)
  const { question } = model.dialog
  const card = question
    ? shownCard(model.dialog, question, {
        now,
        homeFolder,
        most: MAX_ROWS,
        change,
        columns,
        more: 'plexus show',
        encode: look.encode,
      })
    : []
  const before = recent.length === 0 ? [] : ['', 'Before this:', ...recent]
  return [
    ...wrapped(look.encode(`${labelOf(session)}: ${[...facts, ...cost].join(', ')}`), columns),
    ...(there === undefined ? [] : wrapped(look.encode(`It ${there}.`), columns)),
    '',
    ...paintedCard(card, change || model.dialog.edited ? look.style : undefined),
    ...before.flatMap((line) => wrapped(look.encode(oneLine(line)), columns, 3)),
  ]
}

/** What was edited takes the place of what was asked. */
export function shownCard({ edited }: Dialog, question: PendingQuestion, options: CardOptions): string[] {
  if (edited === undefined) return questionCard(question, options)
  const { most, columns = Number.POSITIVE_INFINITY, encode = (text) => text } = options
  return editedLines(question, edited)
    .flatMap((line) => wrapped(encode(line), columns))
    .slice(0, most)
}

/** A person reads no more than this; the rest is in plexus show. */
const MAX_ROWS = 5_000
