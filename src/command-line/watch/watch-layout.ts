import { alignedLines, cut } from '../views/columns.ts'
import { questionCard } from '../views/question-views.ts'
import { sessionColumns } from '../views/session-views.ts'
import { labelOf, stateWord, type Style } from '../views/session-words.ts'
import { followLine } from '../follow/follow-line.ts'
import type { WatchModel } from './watch-model.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

export interface LayoutContext {
  readonly now: number
  readonly homeFolder: string | undefined
  readonly style: (style: Style, text: string) => string
}

const KEYS = 'j/k move  a allow  s session  d deny  Enter attach  x interrupt  ? help  q leave'
const HELP = [
  'j, k, arrows   move in the list',
  'a              allow what the selected session asks',
  's s            allow this exact call for the session',
  'd              deny it, with a reason',
  'x              interrupt the turn of the selected session',
  'Enter          attach to it: read along and type',
  'q, Ctrl-C      leave; every session keeps running',
]

/** Exactly the lines of the screen: a title, the list, the question of the selected session, the keys. */
export function watchLines(
  model: WatchModel,
  { columns, rows }: ScreenSize,
  context: LayoutContext,
): string[] {
  const waiting = model.listed.filter(({ session }) => stateWord(session) === 'needs you').length
  const title = `plexus  ${model.listed.length} sessions, ${waiting} need you`
  const body = model.showsHelp ? HELP : bodyOf(model, { columns, rows: rows - 3 }, context)
  const footer = model.dialog.question ? followLine(model.dialog) : ''
  const lines = [title, ...body.slice(0, Math.max(0, rows - 3))]
  while (lines.length < rows - 2) lines.push('')
  return [...lines, footer, KEYS].slice(0, rows).map((line) => cut(line, columns))
}

function bodyOf(model: WatchModel, { columns, rows }: ScreenSize, context: LayoutContext): string[] {
  const { listed, selected, dialog } = model
  if (listed.length === 0) return ['', 'No session is at work. plexus start "what to do" begins one.']
  const { question } = dialog
  const card = question
    ? questionCard(question, { ...context, most: Math.max(1, Math.floor(rows / 2) - 2) })
    : []
  // The list gets what the question leaves, and shows the part around the selection.
  const room = Math.max(1, rows - (card.length === 0 ? 0 : card.length + 2) - 1)
  const at = Math.max(
    0,
    listed.findIndex(({ session }) => session.id === selected),
  )
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), listed.length - room))
  const shown = listed.slice(first, first + room)
  const [head = '', ...below] = alignedLines(sessionColumns(shown, context), columns - 2)
  const list = below.map((line, row) => `${shown[row]?.session.id === selected ? '>' : ' '} ${line}`)
  const asking = listed[at]?.session
  return [
    `  ${head}`,
    ...list,
    ...(asking && card.length > 0 ? ['', `${labelOf(asking)} asks:`, ...card] : []),
  ]
}
