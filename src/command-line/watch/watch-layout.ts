import { promptOf } from '../dialog/dialog-lines.ts'
import { type PromptRows, promptRows } from '../dialog/prompt-rows.ts'
import type { TerminalLook } from '../terminal/terminal-look.ts'
import { cut, packed, wrapped } from '../views/columns.ts'
import type { FileChange } from '../../preview/file-change.ts'
import { paintedCard } from '../views/question-cards.ts'
import { clockTime, dollars, inTerminal, oneLine, span } from '../views/session-words.ts'
import { timeLeft } from '../views/question-views.ts'
import { batchRows } from './watch-batch.ts'
import { detailRows, shownCard } from './watch-detail.ts'
import { listRows } from './watch-list.ts'
import { selectedIn, type WatchModel } from './watch-model.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

export interface LayoutContext {
  readonly now: number
  readonly homeFolder: string | undefined
  readonly look: TerminalLook
  /** What the question on the screen would do to its file, if that is known. */
  readonly change?: FileChange | undefined
  /** The last lines of the log of the selected session. */
  readonly recent?: readonly string[] | undefined
}

const LIST_KEYS = ['j/k move', 'Enter all', '? help', 'q leave', 'n next', 'x mark']
const DETAIL_KEYS = ['j/k scroll', 'Esc back', '? help']
/** Not for a terminal, which is not ours to prompt. */
const SESSION_KEYS = ['o attach', 'i interrupt']
const HELP = [
  'j, k, arrows   move in the list; in the whole text: scroll',
  'n              the next session that needs you',
  'Enter, v       all of what the selected session asks, with the diff',
  'a              allow it once',
  's s            allow this exact call for the session; its text is shown first',
  'd              deny it, with a reason',
  'e              edit it, then allow',
  't              more time for it',
  'x              mark it; then a or d decides on all that are marked: all or none',
  'o              attach to the session: read along and type',
  'i              interrupt its turn',
  'q, Ctrl-C      leave; every session keeps running',
]

/** Exactly the lines of the screen: a title, the list or a whole question, what can be done, the keys. Pure. */
export function watchLines(
  model: WatchModel,
  { columns, rows }: ScreenSize,
  context: LayoutContext,
): string[] {
  const { encode } = context.look
  const below = [...belowRows(model, { columns, rows }, context), keyRow(model, columns)]
  const room = Math.max(0, rows - 1 - below.length)
  const body = bodyOf(model, { columns, rows: room }, context).slice(0, room)
  while (body.length < room) body.push('')
  const lines = [titleOf(model, columns, context), ...body, ...below]
  return lines.slice(0, rows).map((line) => encode(cut(encode(line), columns)))
}

function titleOf({ listed, awaySince }: WatchModel, columns: number, { now, look }: LayoutContext): string {
  if (awaySince !== undefined) {
    const age = `The hub is away for ${span(now - awaySince)}. Keys are off; this is from ${clockTime(awaySince)}.`
    return look.style('attention', cut(age, columns))
  }
  const waiting = listed.filter(({ open }) => open.length > 0).length
  const cost = listed.reduce((sum, { session }) => sum + session.costUsd, 0)
  const count = `${listed.length} ${listed.length === 1 ? 'session' : 'sessions'}`
  const title = `plexus  ${count}, ${waiting} ${waiting === 1 ? 'needs' : 'need'} you${cost > 0 ? `, ${dollars(cost)}` : ''}`
  return look.style('strong', cut(title, columns))
}

function keyRow(model: WatchModel, columns: number): string {
  const { session } = selectedIn(model) ?? {}
  const own = session && inTerminal(session) !== undefined ? [] : SESSION_KEYS
  return packed([...(model.view === 'detail' ? DETAIL_KEYS : LIST_KEYS), ...own], columns)[0] ?? ''
}

/** What a person should know, and what they can do about the question. */
function belowRows(
  model: WatchModel,
  { columns, rows }: ScreenSize,
  { look: { encode, style } }: LayoutContext,
): string[] {
  const { message } = model
  const news = message === '' ? [] : wrapped(encode(oneLine(message)), columns, 2)
  const asks =
    model.marked.length > 0
      ? batchRows(model).map((line) => cut(encode(line), columns))
      : askedRows(model, columns, encode).rows
  const own = asks.slice(-Math.max(1, Math.floor(rows / 2)))
  return [...news.map((line) => style('strong', line)), ...own]
}

function askedRows(
  { dialog, view }: WatchModel,
  width: number,
  encode: (text: string) => string,
): PromptRows {
  const isAsked = dialog.question && view !== 'help'
  const prompt = isAsked ? promptOf(dialog) : { head: [], choices: [] }
  return promptRows(prompt, { draft: dialog.draft, width, encode })
}

/** Where the cursor stands while a line is typed: in the row above the keys. Undefined where none is typed. Pure. */
export function watchCursor(
  model: WatchModel,
  { columns, rows }: ScreenSize,
  { encode }: TerminalLook,
): { readonly row: number; readonly column: number } | undefined {
  if (model.marked.length > 0 || rows < MIN_ROWS) return undefined
  const { cursor } = askedRows(model, columns, encode)
  return cursor === undefined ? undefined : { row: rows - 2, column: cursor }
}

/** On a screen that is lower, the row may not be there. */
const MIN_ROWS = 8

function bodyOf(model: WatchModel, size: ScreenSize, context: LayoutContext): string[] {
  const { listed, view } = model
  if (view === 'help') return ['', ...HELP]
  if (listed.length === 0) return ['', 'No session is at work. plexus start "what to do" begins one.']
  if (view === 'detail') return detailRows(model, size, context)
  const card = cardOf(model, size, context)
  return [...listRows(model, { ...size, rows: size.rows - card.length }, context), ...card]
}

function cardOf(model: WatchModel, { columns, rows }: ScreenSize, context: LayoutContext): string[] {
  const { question } = model.dialog
  if (!question) return []
  const { now, homeFolder, change, look } = context
  const most = Math.max(1, Math.floor(rows / 2) - 3)
  const more = 'Enter shows all'
  const options = { now, homeFolder, most, change, columns, more, encode: look.encode }
  const card = shownCard(model.dialog, question, options)
  const timeoutMs = selectedIn(model)?.session.timeoutMs ?? 0
  const left = timeLeft(question, timeoutMs, now)
  const warning = left?.isShort ? [cut(`    ${left.text}: [t] gives it more time`, columns)] : []
  return [
    '─'.repeat(columns),
    ...paintedCard(card, change || model.dialog.edited ? look.style : undefined),
    ...warning.map((line) => look.style('attention', line)),
  ]
}
