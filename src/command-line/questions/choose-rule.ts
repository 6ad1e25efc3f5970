import type { Answer } from '../../approvals/answer.ts'
import { AppError } from '../../base/errors.ts'
import type { PendingQuestion, RuleOffers } from '../../engine/engine.ts'
import type { ClientHub, CommandCall } from '../command.ts'
import { askChoice, askYesOrNo } from '../terminal/ask-person.ts'
import { offerLines } from './rule-views.ts'
import { questionId } from '../views/question-views.ts'
import { oneLine } from '../views/session-words.ts'

type Remembering = Pick<Answer, 'remember' | 'rememberRule'>
type Offer = RuleOffers['offers'][number]

/**
 * Shows the rules that a question offers, and has the person choose one of them or the exact call, and where it holds.
 * Undefined if they want nothing remembered.
 */
export async function chooseRule(
  { engine, context }: ClientHub,
  { out }: Pick<CommandCall, 'out'>,
  question: PendingQuestion,
): Promise<Remembering | undefined> {
  if (!out.mayPrompt)
    throw new AppError('invalid_input', '--remember needs a scope here, such as --remember session.')
  const found = await engine.offerRules(context, { approvalId: question.id })
  const { offers } = found
  out.say(`${questionId(question)}: what is to be remembered?`)
  out.say('  0  exactly this call')
  if (offers.length > 0) for (const line of offerLines(found)) out.say(line)
  const numbers = ['0', ...offers.map((_, index) => `${index + 1}`)]
  const number = await askChoice('Which', [...numbers, 'none'])
  if (number === 'none') return undefined
  const offer = offers[Number(number) - 1]
  if (offer?.needsYes && !(await secondYes(offer))) return undefined
  const remember = await askChoice('Where', offer?.scopes ?? ['turn', 'session', 'tree', 'folder', 'always'])
  return { remember, ...(offer ? { rememberRule: `${offer.id}${offer.needsYes ? '-yes' : ''}` } : {}) }
}

function secondYes({ text, newlyAllowed }: Offer): Promise<boolean> {
  const [example] = newlyAllowed.examples
  const which = example ? ` (${example.question}: ${example.call})` : ''
  return askYesOrNo(oneLine(`${text} would have allowed what was denied${which}. Remember it all the same?`))
}
