import { z } from 'zod'
import { type Ask, ASKS } from '../../base/ask-setting.ts'
import { nodeIdOf } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Session, SessionStatus, Turn } from '../../sessions/record/session.ts'
import type { Context } from '../operation/operation.ts'
import { OUTDATED_NOTICE } from '../views/outdated-notice.ts'
import { personNotice } from '../views/person-notice.ts'

export const StatusName = z.enum(['running', 'awaiting_permission', 'complete', 'failed'])
export type StatusName = z.infer<typeof StatusName>

/** The name of each state in this family. */
export const STATUS: Record<SessionStatus, StatusName> = {
  idle: 'complete',
  running: 'running',
  waiting: 'awaiting_permission',
  done: 'complete',
  failed: 'failed',
  interrupted: 'failed',
}

/** A position in a tree. Before the first turn it is the root, whose node id is the tree id. */
export const Position = z.object({ tree_id: z.string(), node_id: z.string() })
export type Position = z.infer<typeof Position>

/** The id of the session in which the conversation began: a fork belongs to the tree of its origin. */
export async function treeIdOf({ engine, call }: Context, { id, origin }: Session): Promise<string> {
  if (origin.kind !== 'fork') return id
  const [root] = await engine.tree(call, { sessionId: id })
  return root?.node.sessionId ?? id
}

/** The node from which the next turn continues. */
export async function headOf(context: Context, session: Session): Promise<Position> {
  const treeId = await treeIdOf(context, session)
  return { tree_id: treeId, node_id: session.headNode ?? treeId }
}

/** The position of a turn; its node is written when the turn ends. */
export function positionOf(treeId: string, { sessionId, number }: Turn): Position {
  return { tree_id: treeId, node_id: nodeIdOf(sessionId, number) }
}

export function sessionSummary(session: Session, ask?: Ask) {
  return {
    session_id: session.id,
    ...definedFields({ name: session.name }),
    status: STATUS[session.status],
    turn: session.turn,
    cost_usd: session.costUsd,
    ...definedFields({ context_tokens: session.contextTokens, context_window: session.contextWindow }),
    ...(session.status === 'failed' ? definedFields({ error: session.error }) : {}),
    ...(session.status === 'interrupted' ? { interrupted: true } : {}),
    ...(session.outdated ? { outdated: OUTDATED_NOTICE } : {}),
    ...definedFields({ ask: session.ask }),
    ...(session.status === 'waiting' ? definedFields({ waits_for_person: personNotice(session, ask) }) : {}),
  }
}

export const SessionSummary = z.looseObject({
  session_id: z.string(),
  name: z.string().optional(),
  status: StatusName,
  turn: z.number(),
  cost_usd: z.number(),
  context_tokens: z.number().optional().describe('How much of its context is used.'),
  context_window: z.number().optional().describe('The size of its context.'),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  interrupted: z.boolean().optional(),
  outdated: z.string().optional(),
  ask: z.enum(ASKS).optional(),
  waits_for_person: z.string().optional(),
})
