import { z } from 'zod'
import type { StoredEvent } from '../../events/event-log.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { Session, Turn } from '../../sessions/record/session.ts'
import { snakeKeys } from '../operation/snake-case.ts'
import { positionOf } from './session-view.ts'

export const EventView = z.looseObject({
  seq: z.number().describe('Counts from 0 in each turn, without gaps.'),
  event: z.looseObject({ type: z.string() }),
})
export type EventView = z.infer<typeof EventView>

/** The name of each event in this family. Its fields are the same, in the spelling of this family, except where handled below. */
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
  'message.ended': 'message_ended',
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
  'approval.extended': 'approval_extended',
  'grant.expired': 'grant_expired',
  'grant.revoked': 'grant_revoked',
  'grant.narrowed': 'grant_narrowed',
  'request.cancelled': 'request_cancelled',
  'request.unknown': 'request_unknown',
  'budget.set': 'budget_set',
  'budget.low': 'budget_low',
  'budget.used_up': 'budget_used_up',
  'mode.changed': 'mode_changed',
  'model.chosen': 'model_chosen',
  'api.retried': 'api_retried',
  'context.compacted': 'context_compacted',
  'task.started': 'task_started',
  'task.ended': 'task_ended',
  'below.seen': 'below_seen',
  'session.stopped': 'session_stopped',
  'session.handed_over': 'session_handed_over',
  'session.returned': 'session_returned',
  'terminal.changed': 'terminal_changed',
  'terminal.hook_found': 'terminal_hook_found',
  'nesting.ended': 'nesting_ended',
  'conversation.cleared': 'conversation_cleared',
  'line.unknown': 'line_unknown',
  'line.unparsed': 'line_unparsed',
}

export interface TurnContext {
  readonly session: Session
  readonly turn: Turn
  readonly treeId: string
}

/** Every event of the log has a view, so that the numbers have no gaps. */
export function eventView({ seq, event }: StoredEvent, context: TurnContext): EventView {
  const { turn } = context
  const index = seq - turn.firstSeq
  if (index === 0 && turn.number > 0) return { seq: index, event: startOf(event, context) }
  if (seq === turn.lastSeq) return { seq: index, event: endOf(event, context) }
  return { seq: index, event: viewOf(event, context.session) }
}

/** A turn begins with a prompt, or by itself. */
function startOf(event: SessionEvent, { session, turn, treeId }: TurnContext): EventView['event'] {
  const said = event.type === 'prompt.accepted' ? { prompt_id: event.promptId, prompt: event.content } : {}
  return { type: 'start', id: session.id, user_position: positionOf(treeId, turn), ...said }
}

/** A turn ends with a result, with its process, or before its prompt was read. */
function endOf(event: SessionEvent, { session, turn, treeId }: TurnContext): EventView['event'] {
  const { type: _, outcome: __, error, ...ended } = event.type === 'turn.ended' ? event : NO_TURN_END
  const head = positionOf(treeId, turn)
  const cost = turn.number === session.turn ? { cost_usd: session.costUsd } : {}
  const rest = { ...snakeKeys(ended), ...cost, head }
  if (turn.outcome === 'done') return { type: 'complete', ...rest }
  if (turn.outcome === 'interrupted') return { type: 'interrupted', ...rest }
  const why = error ?? (event.type === 'run.ended' ? event.error : undefined) ?? session.error
  return { type: 'error', code: why?.code ?? 'cli_failed', message: why?.message ?? '', ...rest }
}

const NO_TURN_END = { type: undefined, outcome: undefined, error: undefined }

/** Events of a newer hub that are unknown here keep their own name. */
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
