import { questionsOf } from '../../../src/approvals/question.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { anApproval } from '../../contracts/rows.ts'

/** An open question of the session `web`, about the command that is its id unless the fields say otherwise. */
export function askedQuestion(
  id: string,
  fields: Parameters<typeof anApproval>[0] &
    Partial<Pick<PendingQuestion, 'suggestedRules' | 'expiresAt'>> = {},
): PendingQuestion {
  const { suggestedRules = [], expiresAt, ...approval } = fields
  const made = anApproval({ id, input: { command: id }, cwd: '/project', ...approval })
  const sessionId = approval.sessionId ?? 'web'
  return { ...made, questions: questionsOf(made), suggestedRules, expiresAt, shortId: `${sessionId}.${id}` }
}

/** What AskUserQuestion asks: a colour, then sizes of which several may be chosen. */
export const COLOUR_AND_SIZES = {
  questions: [
    { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: false },
    {
      question: 'Which sizes?',
      options: [{ label: 'small' }, { label: 'large' }, { label: 'huge' }],
      multiSelect: true,
    },
  ],
}
