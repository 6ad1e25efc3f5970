import { z } from 'zod'
import { AT_WORK } from '../../sessions/record/at-work.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Session, Turn } from '../../sessions/record/session.ts'
import { strictFields } from '../../base/input-fields.ts'
import { type Context } from '../operation/operation.ts'
import { definePlexusOperation, ONE_SESSION } from '../operation/plexus-operation.ts'
import { positionOf, sessionSummary, SessionSummary, STATUS, treeIdOf } from './session-view.ts'

export const streams = definePlexusOperation({
  name: 'claudecode.streams',
  title: 'List what can be polled',
  description:
    'With a session: its turns, each of which claudecode.poll can read again (turn and from_seq). Without a session: your sessions that are at work or wait for an answer.',
  input: strictFields(ONE_SESSION),
  output: z.looseObject({ type: z.literal('ok'), streams: z.array(SessionSummary) }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { session_id, name }) => {
    const { engine, call } = context
    const named = session_id ?? name
    if (named !== undefined) return { type: 'ok' as const, streams: await turnStreams(context, named) }
    const busy = await engine.listSessions(call, { status: AT_WORK, limit: MAX_SESSIONS })
    return { type: 'ok' as const, streams: busy.map((session) => sessionSummary(session, context.ask)) }
  },
})

async function turnStreams(context: Context, named: string) {
  const { engine, call } = context
  const session = await engine.getSession(call, { sessionId: named })
  const turns = await engine.listTurns(call, { sessionId: session.id })
  const treeId = await treeIdOf(context, session)
  return turns.map((turn, index) => ({
    ...sessionSummary(session, context.ask),
    turn: turn.number,
    status: statusOf(session, turn),
    total_events: (turns[index + 1]?.firstSeq ?? session.lastSeq + 1) - turn.firstSeq,
    position: positionOf(treeId, turn),
    ...definedFields({ prompt_id: turn.promptId, outcome: turn.outcome }),
  }))
}

function statusOf({ status }: Session, { outcome }: Turn) {
  return STATUS[outcome ?? status]
}

const MAX_SESSIONS = 500
