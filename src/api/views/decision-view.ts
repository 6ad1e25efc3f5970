import { z } from 'zod'
import type { Approval } from '../../approvals/approval.ts'
import { questionsOf } from '../../approvals/question.ts'
import { Level } from '../../events/session-event.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { VIAS } from '../../base/answer-via.ts'
import { shortText } from './shorten-text.ts'

/** Who decided what, when, and from which level; what is shown of a question that is over. */
export const DecisionView = z.looseObject({
  id: z.string(),
  toolName: z.string(),
  kind: z.enum(['tool', 'plan', 'question', 'form']),
  line: z.string().describe('What was asked, in brief.'),
  inputSha256: z.string(),
  status: z.enum(['pending', 'allowed', 'denied', 'expired', 'withdrawn']),
  by: z.string().optional().describe('Who decided; or the rule or the grant that did.'),
  level: Level.optional(),
  via: z.enum(VIAS).optional(),
  message: z.string().optional().describe('What was said with it.'),
  edited: z.literal(true).optional().describe('What ran was not what was asked.'),
  delivery: z.enum(['none', 'sent', 'acknowledged']).describe('How far the decision has got.'),
})
export type DecisionView = z.infer<typeof DecisionView>

/** Pure. */
export function decisionView(approval: Approval): DecisionView {
  const { id, toolName, kind, inputSha256, status, by, level, via, decision, input, delivery } = approval
  const message = decision && 'message' in decision ? decision.message : undefined
  const ran = decision?.behavior === 'allow' ? decision.updatedInput : input
  const edited = kind !== 'question' && JSON.stringify(ran) !== JSON.stringify(input)
  return {
    id,
    toolName,
    kind,
    line: shortText(questionsOf(approval)[0]?.question ?? '', LINE_CHARACTERS).replaceAll('\n', ' '),
    inputSha256,
    status,
    ...definedFields({ by, level, via, message }),
    ...(edited ? { edited: true } : {}),
    delivery,
  }
}

const LINE_CHARACTERS = 200
