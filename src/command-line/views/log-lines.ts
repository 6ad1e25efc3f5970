import type { SessionEvent } from '../../events/session-event.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import { visibleText } from '../../text/visible-text.ts'
import { answerLines, endWords } from './answer-lines.ts'
import type { LogMemory } from './log-memory.ts'
import { dollars, localTime, oneLine, shortFolder } from './session-words.ts'

/** The lines of a session's log that a person reads; events that say nothing to a person have none. */
export function logLines(
  { event }: Pick<StoredEvent, 'event'>,
  homeFolder?: string,
  memory?: LogMemory,
): string[] {
  memory?.read(event)
  switch (event.type) {
    case 'prompt.accepted':
      return marked('>', typeof event.content === 'string' ? event.content : JSON.stringify(event.content))
    case 'text':
      return event.parent === undefined ? marked(' ', event.text) : []
    case 'tool.used':
      return [`* ${oneLine(event.toolName)} ${subjectOf(event.input, homeFolder)}`.trimEnd()]
    case 'tool.finished':
      return event.isError ? [`  failed: ${oneLine(event.content).slice(0, MAX_TEXT)}`] : []
    case 'approval.opened':
      if (event.flood) return ['? more questions are held back: show them, or deny them all?']
      return [
        `? asks${event.supersedes === undefined ? '' : ' again'} about ${oneLine(event.toolName)} ${subjectOf(event.input, homeFolder)}`.trimEnd(),
      ]
    case 'approval.settled':
      return [
        // With what was asked, if the log has shown it: a question is answered or declined, a call allowed or denied.
        `= ${endWords(memory?.callOf(event.approvalId), event)}${event.by === undefined ? '' : ` by ${oneLine(event.by)}`}`,
        ...answerLines(memory?.callOf(event.approvalId), event.decision).map((line) => `  ${line}`),
      ]
    case 'approval.extended':
      return [`+ more time until ${localTime(event.until)}, by ${oneLine(event.by)}`]
    case 'turn.ended':
      return [turnEnd(event)]
    case 'run.ended':
      return event.error === undefined ? [] : [`! ${oneLine(event.error.message)}`]
    case 'session.handed_over':
      if (event.found)
        return [`~ a claude in a terminal (pid ${event.pid}); what is said there is not in this log`]
      return [
        event.to === 'terminal'
          ? `~ ${IN_TERMINAL}`
          : `~ your claude runs (pid ${event.pid}); what it says is not in this log`,
      ]
    case 'terminal.hook_found':
      return ['  by a hook of the user (or project)']
    case 'session.returned':
      return [`~ ${returnOf(event)}`]
    case 'cost.reported':
      return [`  cost so far ${dollars(memory?.costUsd ?? event.total)}`]
    default:
      return []
  }
}

function turnEnd({ outcome, error }: Extract<SessionEvent, { type: 'turn.ended' }>): string {
  if (outcome === 'done') return '. done'
  return `. ${outcome}${error === undefined ? '' : `: ${oneLine(error.message)}`}`
}

function returnOf({
  exitCode = 0,
  signal,
  gone,
}: Extract<SessionEvent, { type: 'session.returned' }>): string {
  if (gone) return 'its process has gone'
  if (signal !== undefined) return `ended by ${oneLine(signal)}`
  return exitCode === 0 ? 'ended' : `ended with exit code ${exitCode}`
}

/** What a call is about: a command, a file, an address. */
export function subjectOf(input: unknown, homeFolder?: string): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const subject = ['command', 'file_path', 'url', 'pattern', 'path'].map((name) => fields[name]).find(isText)
  return shortFolder(subject ?? '', homeFolder).slice(0, MAX_TEXT)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function marked(mark: string, text: string): string[] {
  return visibleText(text)
    .split('\n')
    .map((line) => `${mark} ${line}`.trimEnd())
}

const IN_TERMINAL = 'open in a terminal from here on; what was said there is not in this log'
const MAX_TEXT = 200
