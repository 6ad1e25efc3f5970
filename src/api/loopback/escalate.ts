import { z } from 'zod'
import { OWNER } from '../../engine/access/responsible-session.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'

export const escalate = definePlexusOperation({
  name: 'loopback.escalate',
  title: 'Escalate a question',
  description:
    'Hands a question that you do not want to decide, or may not, to the next level above you: a session, or the owner of the sessions. ' +
    'That level answers it; keep waiting (claude_status). Say in note what it should know.',
  input: strictFields({
    approval_id: selector('approval_id', 'The id of the question.'),
    session_id: selector('session_id', 'The id (or name) of the session that asks.').optional(),
    note: z
      .string('note must be text.')
      .max(10_000, 'note may have at most 10000 characters.')
      .optional()
      .describe('For whoever answers instead of you: what you know, what you would do.'),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approval_id: z.string(),
    escalated_to: z.string().describe('The id of a session, or "owner".'),
  }),
  run: async ({ engine, call }, { approval_id: approvalId, session_id: sessionId, note }) => {
    const { id, escalations } = await engine.escalate(call, { approvalId, sessionId, note })
    return { type: 'ok' as const, approval_id: id, escalated_to: escalations?.at(-1)?.to ?? OWNER }
  },
})
