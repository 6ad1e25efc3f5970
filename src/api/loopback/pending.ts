import { z } from 'zod'
import { selector, strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION } from '../operation/plexus-operation.ts'
import { ApprovalView, approvalViews } from '../views/approval-view.ts'
import { OfferedRulesView, offeredRulesView } from '../views/offered-rules-view.ts'

export const pending = definePlexusOperation({
  name: 'loopback.pending',
  title: 'List open questions',
  description:
    'Lists the open questions of your sessions (or of one of them), oldest first. Answer each with loopback.respond; loopback.wait waits for the next.',
  input: strictFields({
    ...ONE_SESSION,
    offers_for: selector(
      'offers_for',
      'The id of one of them; shows offered_rules, for remember_rule of loopback.respond.',
    ).optional(),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approvals: z.array(ApprovalView),
    offered_rules: OfferedRulesView.optional(),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { session_id, name, offers_for: approvalId }) => {
    const sessionId = session_id ?? name
    const asked = await context.engine.pending(context.call, { sessionId })
    const offers =
      approvalId === undefined
        ? undefined
        : await context.engine.offerRules(context.call, { approvalId, sessionId })
    if (session_id === undefined && name === undefined) context.memory?.noteShown([], asked)
    return {
      type: 'ok' as const,
      approvals: await approvalViews(context, asked),
      ...(offers ? { offered_rules: offeredRulesView(offers) } : {}),
    }
  },
})
