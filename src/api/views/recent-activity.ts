import type { StoredEvent } from '../../events/event-log.ts'
import type { EventOf } from '../../events/session-event.ts'

export interface ToolUse {
  readonly toolName: string
  readonly status: 'running' | 'completed' | 'denied'
}

/** What a stretch of a session's log comes to, for who follows it from afar. */
export interface Recent {
  /** What was said in the main conversation, line by line; the last may still be growing. */
  readonly lines: readonly string[]
  /** The tools whose use began or ended in this stretch. */
  readonly tools: readonly ToolUse[]
  /** The end of a turn, if the stretch has one and nothing has begun since. */
  readonly ended: EventOf<'turn.ended'> | undefined
}

/**
 * Pure. `before` are events in front of the stretch, which only help to understand it: a tool that ends in it may have
 * begun there.
 */
export function recentOf(events: readonly StoredEvent[], before: readonly StoredEvent[] = []): Recent {
  return { lines: linesOf(events), tools: toolsOf(events, before), ended: endOf(events) }
}

function linesOf(events: readonly StoredEvent[]): string[] {
  const said: string[] = []
  let growing = ''
  for (const { event } of events) {
    if (event.type === 'text.streamed') growing += event.text
    if (event.type === 'text' && event.parent === undefined) {
      said.push(event.text)
      growing = ''
    }
    if (event.type === 'turn.started' || event.type === 'turn.ended') growing = ''
  }
  return [...said, ...(growing === '' ? [] : [growing])].flatMap((text) => text.split('\n'))
}

function toolsOf(events: readonly StoredEvent[], before: readonly StoredEvent[]): ToolUse[] {
  const names = new Map<string, string>()
  const questions = new Map<string, string>()
  const tools = new Map<string, ToolUse['status']>()
  for (const { event } of [...before, ...events]) {
    if (event.type === 'tool.used') names.set(event.toolUseId, event.toolName)
    if (event.type === 'approval.opened' && event.toolUseId !== undefined)
      questions.set(event.approvalId, event.toolUseId)
  }
  const deniedBefore = new Set(before.flatMap(({ event }) => deniedTool(event, questions) ?? []))
  for (const { event } of events) {
    const denied = deniedTool(event, questions)
    if (denied !== undefined) tools.set(denied, 'denied')
    else if (event.type === 'tool.used') tools.set(event.toolUseId, 'running')
    else if (event.type === 'tool.finished' && tools.get(event.toolUseId) !== 'denied')
      tools.set(event.toolUseId, deniedBefore.has(event.toolUseId) ? 'denied' : 'completed')
  }
  return [...tools].flatMap(([id, status]) => {
    const toolName = names.get(id)
    return toolName === undefined ? [] : [{ toolName, status }]
  })
}

/** The tool call that this event says no to. */
function deniedTool(event: StoredEvent['event'], questions: ReadonlyMap<string, string>): string | undefined {
  if (event.type === 'tool.refused') return event.toolUseId
  if (event.type !== 'approval.settled' || event.status === 'allowed') return undefined
  return questions.get(event.approvalId)
}

function endOf(events: readonly StoredEvent[]): EventOf<'turn.ended'> | undefined {
  for (const { event } of events.toReversed()) {
    if (event.type === 'turn.ended') return event
    if (event.type === 'prompt.accepted' || event.type === 'turn.started') return undefined
  }
  return undefined
}
