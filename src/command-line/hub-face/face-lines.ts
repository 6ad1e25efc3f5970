import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import { LEASE_SECONDS } from '../../base/limits.ts'
import { aliasLine } from '../views/own-command.ts'
import { cut } from '../views/columns.ts'
import { questionId, questionLine } from '../views/question-views.ts'
import { inTerminal, labelOf, oneLine, typedName } from '../views/session-words.ts'

export interface Greeting {
  readonly version: string
  readonly url: string
  /** How this program is started: `plexus`, or Node and a path. */
  readonly command: string
  /** The flags by which other programs find this hub, if its home folder is not the usual one. */
  readonly homeFlag: string
  readonly demo: string
  /** A link that signs one browser in, and whether Enter prints another. */
  readonly link?: { readonly url: string; readonly hasNext: boolean } | undefined
}

/** What a person wants to know of a hub that has just started. */
export function greetingLines({ version, url, command, homeFlag, demo, link }: Greeting): string[] {
  const open = `${command} open${homeFlag}`
  const rows: readonly (readonly [string, string])[] = [
    ['In Claude Code', `claude mcp add --scope user plexus -- ${command} mcp${homeFlag}`],
    ...(command === 'plexus' ? [] : [['In a terminal', aliasLine(command)] as const]),
    ['In a browser', link?.url ?? open],
    ...(link
      ? [['', `works once, within a minute; ${link.hasNext ? 'Enter' : open} prints a new one`] as const]
      : []),
    ['A demo', demo],
    ['To stop', 'Ctrl-C; sessions keep running'],
  ]
  const width = Math.max(...rows.map(([title]) => title.length))
  return [
    `Plexus ${version} runs at ${url}`,
    '',
    ...rows.map(([title, text]) => `  ${title.padEnd(width)}  ${text}`),
    '',
    'What sessions ask is shown here:',
  ]
}

/**
 * A question in one line, with the command that answers it. It is offered to allow only what the line shows whole: all else is
 * to be read first.
 */
export function askedLine(question: PendingQuestion, columns: number, homeFlag: string): string {
  const id = questionId(question)
  const text = `${sessionLabel(question)} ${questionLine(question)}`
  const allow = `   plexus allow ${id}${homeFlag}`
  if (question.toolName === 'Bash' && text.length + allow.length <= columns) return text + allow
  const show = `   plexus show ${id}${homeFlag}`
  return cut(text, Math.max(LEAST, columns - show.length)) + show
}

const LEAST = 20

function sessionLabel({ shortId, sessionId }: PendingQuestion): string {
  return shortId === undefined ? sessionId.slice(0, 8) : oneLine(shortId.replace(/\.\d+$/, ''))
}

export interface AtStop {
  readonly sessions: readonly Session[]
  readonly open: readonly PendingQuestion[]
  readonly homeFlag: string
  readonly endsChildren: boolean
}

/** What stays when the hub stops, and how to end it. */
export function stopLines({ sessions, open, homeFlag, endsChildren }: AtStop): string[] {
  if (endsChildren) return ['The hub stops, and its sessions end with it.']
  if (sessions.length === 0) return ['The hub stops. No session is at work.']
  const own = sessions.filter((session) => inTerminal(session) === undefined)
  const terminals = terminalLines(sessions.filter((session) => !own.includes(session)))
  const asked = open.filter(({ sessionId }) => own.some(({ id }) => id === sessionId))
  if (own.length === 0) return ['The hub stops. No session of its own is at work.', ...terminals]
  const waiting = asked.map(questionId).join(', ')
  return [
    `The hub stops. ${counted(own.length, 'session')} at work ${own.length === 1 ? 'stays' : 'stay'}: ${own.map(labelOf).join(', ')}`,
    ...(asked.length === 0
      ? []
      : [`${counted(asked.length, 'question')} ${asked.length === 1 ? 'waits' : 'wait'}: ${waiting}`]),
    `The next hub continues with them, within ${LEASE_SECONDS / 60} minutes.`,
    `To end them: plexus stop ${own.map(typedName).join(' ')}${homeFlag}`,
    ...terminals,
  ]
}

/** They are not ours to end, and need no hub. */
function terminalLines(sessions: readonly Session[]): string[] {
  if (sessions.length === 0) return []
  const ask = sessions.length === 1 ? 'asks in its own dialog' : 'ask in their own dialogs'
  return [
    `${counted(sessions.length, 'terminal')} ${ask} until a hub runs: ${sessions.map(labelOf).join(', ')}`,
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
