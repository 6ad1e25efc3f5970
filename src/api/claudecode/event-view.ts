import { z } from 'zod'
import type { StoredEvent } from '../../events/event-log.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { Session, Turn } from '../../sessions/record/session.ts'
import { snakeKeys } from '../operation/snake-case.ts'
import { positionOf } from './view.ts'

export const EventView = z.looseObject({
  seq: z.number().describe('Counts from 0 in each turn, without a gap.'),
  event: z.looseObject({ type: z.string() }),
})
export type EventView = z.infer<typeof EventView>

/** What each event is called here. Its fields are the same, in the spelling of this family, unless told below. */
const NAMES: Record<SessionEvent['type'], string> = {
  'run.started': 'process_started',
  'run.outdated': 'process_outdated',
  'run.ended': 'process_ended',
  'prompt.accepted': 'prompt',
  'prompt.echoed': 'prompt_read',
  'prompt.withdrawn': 'prompt_withdrawn',
  'turn.started': 'model_started',
  'turn.ended': 'complete',
  'cost.reported': 'cost',
  'text.streamed': 'content_delta',
  text: 'content',
  thinking: 'thinking',
  'tool.used': 'tool_use',
  'tool.finished': 'tool_result',
  'tool.seen': 'tool_seen',
  'tool.returned': 'tool_returned',
  'tool.unasked': 'tool_unasked',
  'tool.refused': 'tool_refused',
  'approval.opened': 'tool_request',
  'approval.settled': 'approval_settled',
  'approval.escalated': 'approval_escalated',
  'grant.narrowed': 'grant_narrowed',
  'request.cancelled': 'request_cancelled',
  'request.unknown': 'request_unknown',
  'mode.changed': 'mode_changed',
  'model.chosen': 'model_chosen',
  'api.retried': 'api_retried',
  'context.compacted': 'context_compacted',
  'task.started': 'task_started',
  'task.ended': 'task_ended',
  'below.seen': 'below_seen',
  'session.stopped': 'session_stopped',
  'nesting.ended': 'nesting_ended',
  'conversation.cleared': 'conversation_cleared',
  'line.unknown': 'line_unknown',
  'line.unparsed': 'line_unparsed',
}

export interface Around {
  readonly session: Session
  readonly turn: Turn
  readonly treeId: string
}

/** Pure. Every event of the log has its place here, so that the numbers have no gap. */
export function eventView({ seq, event }: StoredEvent, around: Around): EventView {
  const { turn } = around
  const at = seq - turn.firstSeq
  if (at === 0 && turn.number > 0) return { seq: at, event: startOf(event, around) }
  if (seq === turn.lastSeq) return { seq: at, event: endOf(event, around) }
  return { seq: at, event: viewOf(event, around.session) }
}

/** A turn begins with a prompt, or by itself. */
function startOf(event: SessionEvent, { session, turn, treeId }: Around): EventView['event'] {
  const said = event.type === 'prompt.accepted' ? { prompt_id: event.promptId, prompt: event.content } : {}
  return { type: 'start', id: session.id, user_position: positionOf(treeId, turn), ...said }
}

/** It ends with a result, or with the process, or before the prompt was read. */
function endOf(event: SessionEvent, { session, turn, treeId }: Around): EventView['event'] {
  const { type: _, outcome: __, error, ...ended } = event.type === 'turn.ended' ? event : NOTHING
  const head = positionOf(treeId, turn)
  const cost = turn.number === session.turn ? { cost_usd: session.costUsd } : {}
  const rest = { ...snakeKeys(ended), ...cost, head }
  if (turn.outcome === 'done') return { type: 'complete', ...rest }
  if (turn.outcome === 'interrupted') return { type: 'interrupted', ...rest }
  const why = error ?? (event.type === 'run.ended' ? event.error : undefined) ?? session.error
  return { type: 'error', code: why?.code ?? 'cli_failed', message: why?.message ?? '', ...rest }
}

const NOTHING = { type: undefined, outcome: undefined, error: undefined }

/** A newer hub may have events that this program has no name for: they have their own. */
function nameOf(type: SessionEvent['type']): string {
  return Object.hasOwn(NAMES, type) ? NAMES[type] : type
}

function viewOf(event: SessionEvent, session: Session): EventView['event'] {
  const { type, ...rest } = event
  const { input, ...fields }: Record<string, unknown> = snakeKeys(rest)
  if (type === 'approval.opened')
    return { type: nameOf(type), ...fields, session_name: session.name ?? session.id, tool_input: input }
  return { type: nameOf(type), ...fields, ...('input' in event ? { input } : {}) }
}
