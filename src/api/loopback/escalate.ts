import { z } from 'zod'
import { OWNER } from '../../engine/access/responsible-session.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'

export const escalate = definePlexusOperation({
  name: 'loopback.escalate',
  title: 'Hand a question up',
  description:
    'Hands a question that you do not want to decide, or may not, to whoever is above you: a session, or whoever the sessions belong to. ' +
    'From then on they are to answer it; go on waiting (claude_status). Say in note what they should know.',
  input: strictFields({
    approval_id: selector('approval_id', 'The id of the question.'),
    session_id: selector('session_id', 'The id (or name) of the session that asks.').optional(),
    note: z
      .string('note must be text.')
      .max(10_000, 'note may have at most 10000 characters.')
      .optional()
      .describe('For who answers in your place: what you know, what you would do.'),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approval_id: z.string(),
    escalated_to: z.string().describe('The id of a session, or "owner".'),
  }),
  run: async ({ engine, who }, { approval_id: approvalId, session_id: sessionId, note }) => {
    const { id, escalations } = await engine.escalate(who, { approvalId, sessionId, note })
    return { type: 'ok' as const, approval_id: id, escalated_to: escalations?.at(-1)?.to ?? OWNER }
  },
})
