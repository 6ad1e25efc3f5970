import { z } from 'zod'
import { endOf } from '../../approvals/ends/question-end.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { Level } from '../../events/approval-fields.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { VIAS } from '../../base/answer-via.ts'
import { shortenText } from './shorten-text.ts'

/** A settled question, and who decided it, when and from which level. */
export const DecisionView = z.looseObject({
  id: z.string(),
  shortId: z.string().optional(),
  toolName: z.string(),
  kind: z.enum(['tool', 'plan', 'question', 'form', 'budget']),
  line: z.string().describe('What was asked, in brief.'),
  inputSha256: z.string(),
  status: z.enum(['pending', 'allowed', 'denied', 'expired', 'withdrawn']),
  end: z
    .string()
    .describe('How it ended, in words: dismissed, expired, withdrawn and superseded are not a no.'),
  by: z.string().optional().describe('Who decided, or which rule or grant.'),
  level: Level.optional(),
  via: z.enum(VIAS).optional(),
  message: z.string().optional().describe('The message given with the decision.'),
  edited: z.literal(true).optional().describe('The input was edited: what ran is not what was asked.'),
  delivery: z
    .enum(['none', 'sent', 'acknowledged'])
    .describe('Whether the decision has reached the session.'),
})
export type DecisionView = z.infer<typeof DecisionView>

export function decisionView(approval: PendingQuestion): DecisionView {
  const { id, shortId, toolName, kind, inputSha256, status, by, level, via, decision, input, delivery } =
    approval
  const message = decision && 'message' in decision ? decision.message : undefined
  const ran = decision?.behavior === 'allow' ? decision.updatedInput : input
  const edited = kind !== 'question' && JSON.stringify(ran) !== JSON.stringify(input)
  return {
    id,
    ...definedFields({ shortId }),
    toolName,
    kind,
    line: shortenText(approval.questions[0]?.question ?? '', LINE_CHARACTERS).replaceAll('\n', ' '),
    inputSha256,
    status,
    end: endOf(approval),
    ...definedFields({ by, level, via, message }),
    ...(edited ? { edited: true } : {}),
    delivery,
  }
}

const LINE_CHARACTERS = 200
