import { z } from 'zod'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION } from '../operation/plexus-operation.ts'
import { ApprovalView, approvalViews } from '../views/approval-view.ts'

export const pending = definePlexusOperation({
  name: 'loopback.pending',
  title: 'List open questions',
  description:
    'Lists the open questions of your sessions (or of one of them), oldest first. Answer each with loopback.respond; loopback.wait waits for the next.',
  input: strictFields(ONE_SESSION),
  output: z.looseObject({ type: z.literal('ok'), approvals: z.array(ApprovalView) }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { session_id, name }) => {
    const asked = await context.engine.pending(context.call, { sessionId: session_id ?? name })
    if (session_id === undefined && name === undefined) context.memory?.noteShown([], asked)
    return { type: 'ok' as const, approvals: await approvalViews(context, asked) }
  },
})
