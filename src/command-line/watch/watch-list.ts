import { alignedLines, type Column } from '../views/columns.ts'
import { questionLine } from '../views/question-views.ts'
import { type ListedSession, waitsCell } from '../views/session-views.ts'
import { dollars, labelOf, shortFolder, stateWord, titleOf, waitsThere } from '../views/session-words.ts'
import type { LayoutContext, ScreenSize } from './watch-layout.ts'
import type { WatchModel } from './watch-model.ts'

/** The sessions, a row each: the part of them around the selection. Pure. */
export function listRows(
  { listed, selected, marked }: WatchModel,
  { columns, rows }: ScreenSize,
  context: LayoutContext,
): string[] {
  const room = Math.max(1, rows - 1)
  const index = listed.findIndex(({ session }) => session.id === selected)
  const first = Math.max(0, Math.min(Math.max(0, index) - Math.floor(room / 2), listed.length - room))
  const shown = listed.slice(first, first + room)
  const [head = '', ...below] = alignedLines(columnsOf(shown, context), columns - 3)
  const { style } = context.look
  const isMarked = (open: ListedSession['open']) => open.some(({ id }) => marked.some((one) => one.id === id))
  const markOf = (one: ListedSession | undefined) => (one && isMarked(one.open) ? 'x' : ' ')
  return [
    style('faint', `   ${head}`),
    ...below.map((line, row) => {
      const mark = markOf(shown[row])
      return first + row === index ? style('strong', `>${mark} ${line}`) : ` ${mark} ${line}`
    }),
  ]
}

function columnsOf(listed: readonly ListedSession[], { now, homeFolder, look }: LayoutContext): Column[] {
  const column = (title: string, cellOf: (one: ListedSession) => string): Column => ({
    title,
    cells: listed.map((one) => look.encode(cellOf(one))),
  })
  const paint = (text: string, row: number) =>
    listed[row]?.open.length === 0 ? text : look.style('attention', text)
  return [
    column('NAME', ({ session }) => labelOf(session)),
    { ...column('STATE', ({ session }) => stateWord(session)), paint },
    column('WAITS', (one) => waitsCell(one, now)),
    { ...column('COST', ({ session }) => dollars(session.costUsd)), right: true },
    { ...column('WHAT', (one) => whatOf(one, homeFolder)), flexible: true },
  ]
}

/** What it asks, or by what it is known. */
function whatOf(
  { session, open: [first, ...others] }: ListedSession,
  homeFolder: string | undefined,
): string {
  if (!first) return waitsThere(session, 0) ?? knownBy(session, homeFolder)
  const more = others.length === 0 ? '' : `(+${others.length}) `
  return more + questionLine(first, homeFolder).slice(0, MAX_WHAT)
}

/** Without a name, by how its first prompt begins. */
function knownBy(session: ListedSession['session'], homeFolder: string | undefined): string {
  if (session.name === undefined && session.title !== undefined) return titleOf(session)
  return shortFolder(session.workingDirectory, homeFolder)
}

const MAX_WHAT = 300
