import { z } from 'zod'
import { Answer } from '../../approvals/answer.ts'
import { selector, strictFields, wholeNumber } from '../../base/input-fields.ts'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import { params, sessionId } from './verb-input.ts'

const OneOfAll = strictFields(
  {
    ...Answer.shape,
    inputSha256: z.string('inputSha256 must be the hash of the input that was shown.'),
    approvalId: selector('approvalId'),
    sessionId: sessionId.optional(),
  },
  'questions',
)
/** As many as can be open at once. */
const MAX_ANSWERS = 2_000

/** Questions: to read and answer them. */
export const QUESTION_INPUTS = {
  pending: params({
    sessionId: sessionId.optional(),
    below: z.literal(true, 'below must be true, or left out.').optional(),
  }),
  getApproval: params({ approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
  previewChange: params({
    approvalId: selector('approvalId'),
    sessionId: sessionId.optional(),
    input: z.record(z.string(), z.unknown(), 'input must be an object.').optional(),
  }),
  decisions: params({
    sessionId: sessionId.optional(),
    below: z.literal(true, 'below must be true, or left out.').optional(),
    limit: wholeNumber('limit', 1).optional(),
    before: selector('before').optional(),
  }),
  answer: params({ ...Answer.shape, approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
  answerAll: params({
    questions: z
      .array(OneOfAll, 'questions must be a list.')
      .min(1, 'questions may not be empty.')
      .max(MAX_ANSWERS, `questions may have at most ${MAX_ANSWERS} entries.`),
  }),
  escalate: params({
    approvalId: selector('approvalId'),
    sessionId: sessionId.optional(),
    note: z.string('note must be text.').max(10_000, 'note may have at most 10000 characters.').optional(),
  }),
  extend: params({
    approvalId: selector('approvalId'),
    sessionId: sessionId.optional(),
    seconds: wholeNumber('seconds', 1, Math.floor(MAX_TIMER_MS / 1_000)).optional(),
  }),
}
