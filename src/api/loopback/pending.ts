import { z } from 'zod'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION } from '../operation/plexus-operation.ts'
import { ApprovalView, approvalViews } from '../views/approval-view.ts'

export const pending = definePlexusOperation({
  name: 'loopback.pending',
  title: 'List what waits for an answer',
  description:
    'Lists what your sessions (or one of them) ask for now, oldest first; none is an empty list. Answer each with loopback.respond; loopback.wait waits for the next.',
  input: strictFields(ONE_SESSION),
  output: z.looseObject({ type: z.literal('ok'), approvals: z.array(ApprovalView) }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { session_id, name }) => {
    const asked = await context.engine.pending(context.who, { sessionId: session_id ?? name })
    if (session_id === undefined && name === undefined) context.atWork?.shows([], asked)
    return { type: 'ok' as const, approvals: await approvalViews(context, asked) }
  },
})
