import { definedFields } from '../../base/defined-fields.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { SessionNow } from '../../engine/sessions/session-now.ts'
import type { Column } from './columns.ts'
import {
  type Asking,
  type Style,
  dollars,
  endOfSession,
  labelOf,
  modeWord,
  oneLine,
  shortFolder,
  shownState,
  span,
  STATE_ORDER,
  stateWord,
  waitsThere,
} from './session-words.ts'

/** A session in a list, with its oldest open question. */
export interface ListedSession {
  readonly session: SessionNow & Asking
  readonly open: readonly PendingQuestion[]
}

/** What needs a person first, what waits longest on top; then what works, the newest first. */
export function byUrgency(
  sessions: readonly SessionNow[],
  questions: readonly PendingQuestion[],
): ListedSession[] {
  const open = bySession(questions)
  const rank = ({ session }: ListedSession) => STATE_ORDER.indexOf(stateWord(session))
  return sessions
    .map((session) => {
      const own = open.get(session.id) ?? []
      return { session: { ...session, open: own.length }, open: own }
    })
    .toSorted((a, b) => rank(a) - rank(b) || inRank(a, b))
}

function inRank(a: ListedSession, b: ListedSession): number {
  if (stateWord(a.session) === 'needs you') return waitingSince(a) - waitingSince(b)
  return b.session.updatedAt - a.session.updatedAt
}

/** What waits in its terminal has no question here; it changed last when it began to wait. */
function waitingSince({ session, open: [first] }: ListedSession): number {
  return first?.openedAt ?? session.updatedAt
}

function bySession(questions: readonly PendingQuestion[]): Map<string, PendingQuestion[]> {
  const groups = new Map<string, PendingQuestion[]>()
  for (const question of questions) {
    const group = groups.get(question.sessionId)
    if (group) group.push(question)
    else groups.set(question.sessionId, [question])
  }
  return groups
}

export interface ListContext {
  readonly now: number
  readonly homeFolder: string | undefined
  readonly style: (style: Style, text: string) => string
  /** How much of its budget each session has used, by its id; there is a column for it if there is any. */
  readonly used?: ReadonlyMap<string, string> | undefined
}

export function sessionColumns(
  listed: readonly ListedSession[],
  { now, homeFolder, style, used = new Map() }: ListContext,
): Column[] {
  const column = (title: string, cellOf: (one: ListedSession) => string): Column => ({
    title,
    cells: listed.map(cellOf),
  })
  const words = listed.map(({ session }) => stateWord(session))
  const paint = (text: string, row: number) => {
    if (words[row] === 'needs you') return style('attention', text)
    return words[row] === 'running' ? style('good', text) : style('faint', text)
  }
  return [
    column('NAME', ({ session }) => labelOf(session)),
    { ...column('STATE', ({ session }) => shownState(session)), paint },
    column('WAITS', (one) => waitsCell(one, now)),
    column('MODE', ({ session }) => modeWord(session)),
    { ...column('COST', ({ session }) => dollars(session.costUsd)), right: true },
    ...(used.size === 0 ? [] : [column('BUDGET', ({ session }) => used.get(session.id) ?? '-')]),
    // Who gave no name knows a session by its prompt; the name beside it is what is typed.
    ...(listed.some(({ session }) => session.name === undefined && session.title !== undefined)
      ? [{ ...column('FIRST PROMPT', ({ session }) => oneLine(session.title ?? '-')), flexible: true }]
      : []),
    {
      ...column('FOLDER', ({ session }) => shortFolder(session.workingDirectory, homeFolder)),
      flexible: true,
    },
  ]
}

/** How long its oldest question waits; `there` if it can be answered in its terminal only. */
export function waitsCell({ session, open }: ListedSession, now: number): string {
  const [first] = open
  if (first) return span(now - first.openedAt)
  return waitsThere(session, 0) === undefined ? '-' : 'there'
}

/** The documented form of a session in `--json`; fields are only ever added. */
export function sessionJson({ session, open }: ListedSession): object {
  const { id, name, title, status, workingDirectory, permissionMode, model } = session
  const { costUsd, turn, createdAt, updatedAt } = session
  const [first] = open
  return {
    id,
    ...definedFields({ name, title }),
    state: stateWord(session),
    ...definedFields({ end: endOfSession(session) }),
    status,
    folder: workingDirectory,
    mode: permissionMode ?? session.config.permissionMode,
    ...(model === undefined ? {} : { model }),
    costUsd,
    turn,
    ...(session.outside ? {} : processOf(session)),
    openQuestions: open.flatMap((question) => question.shortId ?? question.id),
    ...(session.outside ? { outside: { to: session.outside.to, pid: session.outside.pid } } : {}),
    ...(session.terminal ? { terminal: true } : {}),
    ...(waitsThere(session, open.length) === undefined ? {} : { waitsThere: true }),
    ...(first ? { waitingSince: iso(first.openedAt) } : {}),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** An idle process lives for some minutes; after it the next prompt starts another. */
function processOf({ pid }: SessionNow): object {
  return pid === undefined ? { process: 'none' } : { process: 'alive', pid }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
