import type { StoredEvent } from '../../events/event-log.ts'
import { visibleText } from '../../text/visible-text.ts'
import { answerLines, endWords } from './answer-lines.ts'
import { LogMemory } from './log-memory.ts'
import { oneLine } from './session-words.ts'

/** A session's log as a Markdown document: prompts, texts, calls with their results, and who decided what. */
export function markdownOf(name: string, events: readonly StoredEvent[]): string {
  const memory = new LogMemory()
  const parts = events.flatMap(({ event }): string[] => {
    memory.read(event)
    switch (event.type) {
      case 'prompt.accepted':
        return [`## ${oneLine(textOf(event.content)).slice(0, MAX_TITLE)}`, quoted(textOf(event.content))]
      case 'text':
        return event.parent === undefined ? [visibleText(event.text)] : []
      case 'tool.used':
        return [`**${oneLine(event.toolName)}**`, fenced(JSON.stringify(event.input, null, 2))]
      case 'tool.finished':
        return [event.isError ? 'It failed:' : 'Result:', fenced(event.content)]
      case 'approval.settled':
        return [
          `*${endWords(memory.callOf(event.approvalId), event)}${event.by === undefined ? '' : ` by ${oneLine(event.by)}`}*`,
          ...answerOf(answerLines(memory.callOf(event.approvalId), event.decision)),
        ]
      case 'turn.ended':
        return event.outcome === 'done' ? [] : [`*${event.outcome}*`]
      case 'session.handed_over':
        return [
          `*${event.to === 'terminal' ? 'Open in a terminal' : 'In a claude of plexus run'} from here on; what was said there is not in this log.*`,
        ]
      case 'session.returned':
        return ['*It has ended.*']
      default:
        return []
    }
  })
  return [`# ${name}`, ...parts].join('\n\n')
}

function answerOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [fenced(lines.join('\n'))]
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

function quoted(text: string): string {
  return visibleText(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** The fence is longer than any in the text, so that no text can end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${visibleText(text)}\n${fence}`
}

const MAX_TITLE = 80
