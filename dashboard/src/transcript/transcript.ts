import { answerParts, type AskedCall, endWords } from '../../../src/command-line/views/answer-lines.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { EventOf } from '../../../src/events/session-event.ts'

/** One thing of a conversation that a person reads. A call and all that happened to it are one item. */
export type Item = { readonly seq: number; readonly at: number } & (
  | {
      readonly type: 'prompt' | 'text' | 'thinking' | 'note'
      readonly text: string
      readonly isAgent: boolean
    }
  | {
      /** The end of a turn: from here the session can be forked. */
      readonly type: 'turn'
      readonly turn: number
      readonly text: string
      readonly isBad: boolean
      readonly isAgent: false
    }
  | {
      readonly type: 'call'
      readonly toolUseId: string
      readonly toolName: string
      /** What ran: after an edit, as edited. */
      readonly input: unknown
      /** What was asked about, if something else was approved. */
      readonly proposed?: unknown
      /** What a person answered to a question with choices. */
      readonly answers?: readonly string[] | undefined
      readonly result?: { readonly isError: boolean; readonly text: string } | undefined
      /** How it came to run: asked and by whom, or unasked. */
      readonly supervision?: string | undefined
      /** The last question about it. */
      readonly approvalId?: string | undefined
      readonly asked?: AskedCall | undefined
      readonly isAgent: boolean
    }
)

type Call = Extract<Item, { type: 'call' }>

/** The items of a conversation, and where each call is; events are added in order. */
export interface Transcript {
  readonly items: readonly Item[]
  readonly lastSeq: number
  /** The text that is being written now. */
  readonly streaming: string
}

export const EMPTY: Transcript = { items: [], lastSeq: 0, streaming: '' }

/** Adds events; those that are already in it change nothing. Pure. */
export function withEvents(transcript: Transcript, events: readonly StoredEvent[]): Transcript {
  const items = [...transcript.items]
  let { lastSeq, streaming } = transcript
  for (const stored of events) {
    if (stored.seq <= lastSeq) continue
    lastSeq = stored.seq
    if (stored.event.type === 'text.streamed') streaming += stored.event.text
    if (ENDS_STREAMING.has(stored.event.type)) streaming = ''
    addTo(items, stored)
  }
  return { items, lastSeq, streaming }
}

const ENDS_STREAMING = new Set(['text', 'turn.ended', 'tool.used'])

type Said = Extract<Item, { type: 'prompt' | 'text' | 'thinking' | 'note' }>

function addTo(items: Item[], { seq, at, turn, event }: StoredEvent): void {
  const put = (item: Pick<Said, 'type' | 'text'>, isAgent = false) =>
    items.push({ seq, at, ...item, isAgent })
  const change = (toolUseId: string | undefined, changes: Partial<Call>) => {
    const index = items.findLastIndex((item) => item.type === 'call' && item.toolUseId === toolUseId)
    const item = items[index]
    if (item?.type === 'call') items[index] = { ...item, ...changes }
  }
  switch (event.type) {
    case 'prompt.accepted':
      return void put({ type: 'prompt', text: promptText(event.content) })
    case 'text':
      return void put({ type: 'text', text: event.text }, event.parent !== undefined)
    case 'thinking':
      return void put({ type: 'thinking', text: event.text }, event.parent !== undefined)
    case 'tool.used': {
      const { toolUseId, toolName, input, parent } = event
      return void items.push({
        seq,
        at,
        type: 'call',
        toolUseId,
        toolName,
        input,
        isAgent: parent !== undefined,
      })
    }
    case 'tool.finished':
      return change(event.toolUseId, { result: { isError: event.isError, text: event.content } })
    case 'tool.unasked':
      return change(event.toolUseId, {
        supervision: unaskedText(event),
      })
    case 'tool.refused':
      return change(event.toolUseId, { supervision: `refused: ${event.message}` })
    case 'approval.opened':
      return change(event.toolUseId, {
        supervision: 'waits for an answer',
        approvalId: event.approvalId,
        asked: event,
      })
    case 'approval.settled': {
      const call = items.findLast((item) => item.type === 'call' && item.approvalId === event.approvalId)
      return call?.type === 'call' ? change(call.toolUseId, settledCall(call, event)) : undefined
    }
    case 'turn.ended':
      return void items.push({
        seq,
        at,
        type: 'turn',
        turn,
        isBad: event.outcome !== 'done',
        text: `Turn ${turn}: ${event.error?.message ?? event.outcome}`,
        isAgent: false,
      })
    case 'run.ended':
      return void (event.error && put({ type: 'note', text: event.error.message }))
    case 'mode.changed':
      return void put({ type: 'note', text: `The mode is ${event.mode} now.` })
    case 'context.compacted':
      return void put({ type: 'note', text: 'The conversation was summed up.' })
    case 'api.retried':
      return void put({
        type: 'note',
        text: `The model did not answer (${event.error}); attempt ${event.attempt}.`,
      })
    default:
      return
  }
}

function settledCall(call: Call, event: EventOf<'approval.settled'>): Partial<Call> {
  const { approvedInput, answers } = answerParts(call.asked, event.decision)
  const by = event.by === undefined ? '' : ` by ${event.by}`
  const end = `${endWords(call.asked, event)}${by}`
  return {
    supervision: end,
    ...(approvedInput ? { input: approvedInput, proposed: call.asked?.input } : {}),
    ...(answers ? { answers: answers.map(({ answer }) => answer) } : {}),
  }
}

function unaskedText({ cause, rule }: EventOf<'tool.unasked'>): string {
  if (rule !== undefined) return `allowed beforehand by ${rule}`
  return cause === undefined ? 'ran unasked' : `ran unasked: ${cause}`
}

function promptText(content: string | unknown[]): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** The indices of the items that contain a text, whatever its case. */
export function found(items: readonly Item[], text: string): number[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return items.flatMap((item, index) => (searchable(item).includes(wanted) ? [index] : []))
}

/** An item never changes, and a person types letter by letter: each is made ready to search once. */
const ready = new WeakMap<Item, string>()

function searchable(item: Item): string {
  const known = ready.get(item)
  if (known !== undefined) return known
  const text =
    item.type === 'call'
      ? `${item.toolName} ${JSON.stringify([item.input, item.proposed])} ${item.result?.text ?? ''}`
      : item.text
  const lower = text.toLowerCase()
  ready.set(item, lower)
  return lower
}
