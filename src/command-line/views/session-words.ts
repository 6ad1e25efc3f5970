import { needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import { moneyText } from '../../text/money-text.ts'
import { folderAndId, type Unnamed } from '../../text/session-title.ts'
import { visibleText } from '../../text/visible-text.ts'

/** Meaning is never in the colour alone. */
export type Style = 'strong' | 'faint' | 'good' | 'bad' | 'attention'

/** What a person wants to know of a session at a glance. */
export type StateWord = 'needs you' | 'running' | 'in a terminal' | 'idle' | 'ended'

export const STATE_ORDER: readonly StateWord[] = ['needs you', 'running', 'in a terminal', 'idle', 'ended']

/** A session, with how many of its questions are open, where these were read beside it: its row may be older. */
export type Asking = { readonly open?: number | undefined }

export function stateWord({
  status,
  stopped,
  outside,
  budgetQuestions,
  open = 0,
}: Pick<Session, 'status' | 'stopped' | 'outside' | 'budgetQuestions'> & Asking): StateWord {
  // Whatever its row says: it is asked on the same page.
  if (open > 0) return 'needs you'
  // What a terminal does is known if it says so.
  const isUnknown = outside?.to === 'terminal' && outside.status === undefined
  if (needsAnswer({ status: isUnknown ? 'running' : status, budgetQuestions })) return 'needs you'
  if (isUnknown) return 'in a terminal'
  if (status === 'running') return 'running'
  return stopped || status === 'failed' ? 'ended' : 'idle'
}

/** How a session ended: a caller stopped it, it failed, or its process outside ended by itself. Undefined if it has not. */
export function endOfSession(
  session: Pick<Session, 'status' | 'stopped' | 'endedOutside' | 'outside' | 'budgetQuestions'> & Asking,
): 'stopped' | 'failed' | 'outside' | undefined {
  if (stateWord(session) !== 'ended') return undefined
  if (session.stopped && !session.endedOutside) return 'stopped'
  return session.status === 'failed' ? 'failed' : 'outside'
}

/** The state as it is shown: of an ended session also how it ended. */
export function shownState(session: Parameters<typeof endOfSession>[0]): string {
  const end = endOfSession(session)
  return end === 'stopped' || end === 'failed' ? end : stateWord(session)
}

/** Its permission mode, which of a terminal is not known here. */
export function modeWord({ outside, permissionMode, config }: Session): string {
  return outside?.to === 'terminal' ? 'terminal' : (permissionMode ?? config.permissionMode)
}

/** What a terminal waits for that cannot be answered here: its hooks are off, or it was left to the terminal. */
export function waitsThere({ status, outside }: Session, openQuestions: number): string | undefined {
  if (status !== 'waiting' || openQuestions > 0 || outside?.to !== 'terminal') return undefined
  const what = outside.waitingFor === undefined ? '' : ` (${oneLine(outside.waitingFor)})`
  return `waits in its terminal${what}; answer it there`
}

/** Why nothing can be typed for it here; undefined for a session that is in no terminal. */
export function inTerminal({
  outside,
  ...named
}: Pick<Session, 'outside' | 'id' | 'name'>): string | undefined {
  if (outside?.to !== 'terminal') return undefined
  return `${labelOf(named)} is open in a terminal (pid ${outside.pid}): type there. What it asks is in plexus pending.`
}

/** The way of an answer, as a person reads it: `command line`. */
export function viaWords(via: string): string {
  return via.replaceAll('_', ' ')
}

interface NamedSession {
  readonly id: string
  readonly name?: string | undefined
}

/** Its name, or the beginning of its id: what a person types. */
export function labelOf({ id, name }: NamedSession): string {
  return name === undefined ? id.slice(0, 8) : oneLine(name)
}

/** What a person recognises it by: its name, else how its first prompt begins, else its folder and the beginning of its id. */
export function titleOf({ name, title, ...session }: TitledSession): string {
  return oneLine(name ?? (title === undefined ? folderAndId(session) : `“${title}”`))
}

type TitledSession = Unnamed & Pick<Session, 'name' | 'title'>

/** What a person types for it: a model may have chosen a name that a shell would run, or that reverses a line. */
export function typedName({ id, name }: NamedSession): string {
  return name !== undefined && isPlainWord(name) ? name : id.slice(0, 8)
}

export function isPlainWord(text: string): boolean {
  return /^[\w.@-]+$/.test(text) || new RegExp(WORD_OF_ANY_SCRIPT, 'u').test(text)
}

/** No literal, as in `visible-text`. */
const WORD_OF_ANY_SCRIPT = String.raw`^[\p{L}\p{N}._@-]+$`

/** A text of a child or a caller in one line of a screen. */
export function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\s*\n\s*/g, ' ⏎ ')).trim()
}

/** A field of a call in one line, if it is a text. */
export function textIn(input: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = input[field]
  return typeof value === 'string' ? oneLine(value) : undefined
}

export function dollars(usd: number): string {
  return usd === 0 ? '-' : moneyText(usd)
}

/** `2026-11-17 09:05:00`, in the time zone of whoever reads it. */
export function localTime(ms: number): string {
  return new Date(ms).toLocaleString('sv-SE')
}

/** `12 s`, `5 min`, `3 h`, `2 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** `0:42`, `12:05`, `1:02:05`: a time that is painted again each second. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const end = twoDigits(seconds % 60)
  return hours === 0 ? `${minutes}:${end}` : `${hours}:${twoDigits(minutes)}:${end}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** The local time of day: `14:02:07`. */
export function clockTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8)
}

/** `900`, `12.3k`, `1.2M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  return tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`
}

/** With `~` for the home folder of the user. */
export function shortFolder(path: string, home: string | undefined): string {
  if (!home || home === '/') return oneLine(path)
  return oneLine(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}
