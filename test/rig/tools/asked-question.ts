import { questionsOf } from '../../../src/approvals/question.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { anApproval } from '../../contracts/rows.ts'

/** An open question of the session `web`, about the command that is its id unless the fields say otherwise. */
export function askedQuestion(
  id: string,
  fields: Parameters<typeof anApproval>[0] &
    Partial<Pick<PendingQuestion, 'suggestedRules' | 'expiresAt' | 'remembers'>> = {},
): PendingQuestion {
  const { suggestedRules = [], expiresAt, remembers: _, ...approval } = fields
  const remembers = 'remembers' in fields ? fields.remembers : remembered
  const made = anApproval({ id, input: { command: id }, cwd: '/project', ...approval })
  const sessionId = approval.sessionId ?? 'web'
  const asked = { questions: questionsOf(made), suggestedRules, expiresAt, remembers }
  return { ...made, ...asked, shortId: `${sessionId}.${id}` }
}

const scopes = ['turn', 'session', 'tree', 'folder', 'always'].map(
  (scope) => [scope, [`text of ${scope}`]] as const,
)
const remembered = { call: 'Bash: 1', rules: [], texts: [], scopes: Object.fromEntries(scopes) }

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
