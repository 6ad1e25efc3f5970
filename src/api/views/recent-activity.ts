import type { StoredEvent } from '../../events/event-log.ts'
import type { EventOf } from '../../events/session-event.ts'

interface ToolUse {
  readonly toolName: string
  readonly status: 'running' | 'completed' | 'denied'
}

/** A summary of consecutive events of a session. */
export interface RecentActivity {
  /** The output of the main conversation, line by line; the last line may still be growing. */
  readonly lines: readonly string[]
  /** The tools whose use began or ended in these events. */
  readonly tools: readonly ToolUse[]
  /** The end of the last turn, unless another prompt or turn followed. */
  readonly ended: EventOf<'turn.ended'> | undefined
}

/** `before` are the events just before these. They give the names of tools that began earlier and ended now. */
export function recentActivity(
  events: readonly StoredEvent[],
  before: readonly StoredEvent[] = [],
): RecentActivity {
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

/** The id of the tool call that this event denies. */
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
