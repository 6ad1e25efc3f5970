import { answerParts, type AskedCall, endWords } from '../../../src/command-line/views/answer-lines.ts'
import { subjectOf } from '../../../src/command-line/views/log-lines.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { plainError } from '../text/plain-error.ts'

/** Something that happened before a question. `code` is the text of a call, in the font of code. */
export interface LineBefore {
  readonly label: string
  readonly text: string
  readonly isCode?: true | undefined
}

type AskedEvent = AskedCall & { readonly toolUseId?: string | undefined }
type About = Pick<PendingQuestion, 'id' | 'toolUseId'>

/** The last prompt before a question, if these events have it. Pure. */
export function promptBefore(events: readonly StoredEvent[], about: About): LineBefore | undefined {
  const prompt = eventsBefore(events, about).findLast(({ event }) => event.type === 'prompt.accepted')?.event
  return prompt?.type === 'prompt.accepted'
    ? { label: 'Prompt', text: shortened(promptText(prompt.content)) }
    : undefined
}

/** The last things after that prompt and before the question, oldest first. Pure. */
export function linesBefore(events: readonly StoredEvent[], about: About): LineBefore[] {
  const before = eventsBefore(events, about)
  const calls = new Map<string, AskedEvent>()
  for (const { event } of before) if (event.type === 'approval.opened') calls.set(event.approvalId, event)
  const start = before.findLastIndex(({ event }) => event.type === 'prompt.accepted') + 1
  // A call that was not allowed ends as one that failed: its line says that already.
  const refused = refusedCalls(before, calls)
  return before
    .slice(start)
    .filter(({ event }) => event.type !== 'tool.finished' || !refused.has(event.toolUseId))
    .flatMap(({ event }) => lineOf(event, calls) ?? [])
    .slice(-SHOWN)
}

function refusedCalls(
  events: readonly StoredEvent[],
  calls: ReadonlyMap<string, AskedEvent>,
): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ event }) =>
      event.type === 'approval.settled' && event.status !== 'allowed'
        ? (calls.get(event.approvalId)?.toolUseId ?? [])
        : [],
    ),
  )
}

function eventsBefore(events: readonly StoredEvent[], { id, toolUseId }: About): readonly StoredEvent[] {
  const end = events.findIndex(({ event }) => event.type === 'approval.opened' && event.approvalId === id)
  return (end === -1 ? events : events.slice(0, end)).filter(
    ({ event }) => event.type !== 'tool.used' || event.toolUseId !== toolUseId,
  )
}

function lineOf(event: StoredEvent['event'], calls: ReadonlyMap<string, AskedCall>): LineBefore | undefined {
  switch (event.type) {
    case 'text':
      return { label: 'It said', text: shortened(event.text) }
    case 'tool.used':
      return { label: `It called ${visibleText(event.toolName)}`, text: callText(event.input), isCode: true }
    case 'tool.finished':
      return event.isError ? { label: 'That failed', text: shortened(plainError(event.content)) } : undefined
    case 'approval.settled': {
      const call = calls.get(event.approvalId)
      if (!call) return undefined
      const { answers, approvedInput, reason } = answerParts(call, event.decision)
      const by = event.by === undefined ? '' : ` by ${visibleText(event.by)}`
      const label = `${capital(endWords(call, event))}${by}`
      if (answers) return { label, text: shortened(answers.map(({ answer }) => answer).join('; ')) }
      const what = `${call.toolName} ${callText(approvedInput ?? call.input)}`.trim()
      return { label, text: shortened(reason === undefined ? what : `${what}: “${reason}”`) }
    }
    default:
      return undefined
  }
}

/** What a call is about; without a subject its fields, as a person reads them. */
function callText(input: unknown): string {
  const subject = subjectOf(input)
  if (subject !== '' || typeof input !== 'object' || input === null) return shortened(subject)
  const fields = Object.entries(input).filter(([, value]) => typeof value !== 'object')
  return shortened(fields.map(([name, value]) => `${name}: ${String(value)}`).join(', '))
}

function promptText(content: string | unknown[]): string {
  return typeof content === 'string' ? content : '(with images or documents)'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function shortened(text: string): string {
  const visible = visibleText(text)
  return visible.length > MAX_TEXT
    ? `${visible.slice(0, MAX_TEXT)} … (${visible.length} characters)`
    : visible
}

const SHOWN = 5
const MAX_TEXT = 400
