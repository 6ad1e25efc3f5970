import type { PendingQuestion } from '../../engine/engine.ts'
import { questionId } from '../views/question-views.ts'
import { oneLine } from '../views/session-words.ts'
import { type Dialog, isSettling } from './dialog.ts'
import { type Choice, choicesOf } from './dialog-choices.ts'
import { chosenOffer } from './dialog-offers.ts'
import { scopeTexts, scopeWords } from './dialog-scope.ts'
import { offerSentence } from './offer-words.ts'

/** What stands below a question: an explanation, what can be done, and what is typed. */
export interface Prompt {
  readonly head: readonly string[]
  readonly choices: readonly Choice[]
  /** Undefined where no line is typed. */
  readonly label?: string | undefined
}

/** Pure. What the person should know of their last key comes first. */
export function promptOf(dialog: Dialog): Prompt {
  const prompt = stepPrompt(dialog)
  return dialog.note ? { ...prompt, head: [...dialog.note, ...prompt.head] } : prompt
}

function stepPrompt(dialog: Dialog): Prompt {
  const { question, step } = dialog
  if (!question) return { head: [], choices: [] }
  if (isSettling(dialog)) return { head: [`${questionId(question)}: the answer is on its way`], choices: [] }
  const choices = choicesOf(dialog)
  switch (step) {
    case 'choose':
      return { head: question.kind === 'form' ? formLines(question) : [], choices }
    case 'wider':
      return { head: widerLines(dialog, question), choices }
    case 'sure':
      return { head: [...widerLines(dialog, question), SURE], choices }
    case 'dismiss':
      return { head: [DISMISSES], choices }
    case 'edited':
      return { head: ['Nothing has run yet.'], choices }
    case 'reason':
      return { head: [], choices, label: `${reasonWords(question)} (Enter sends it, Esc goes back) ` }
    case 'reply':
      return {
        head: replyLines(question, dialog.replies.length),
        choices,
        label: replyLabel(question, dialog),
      }
  }
}

function reasonWords({ kind }: PendingQuestion): string {
  if (kind === 'plan') return 'what should be different?'
  return kind === 'question' ? 'why no answer?' : 'why not?'
}

/** The very text of what would be remembered. */
function widerLines(dialog: Dialog, question: PendingQuestion): string[] {
  const { kind, remembers } = question
  if (kind === 'budget')
    return ['The work of this session and of all below it ends. Nothing is lost; a prompt resumes a session.']
  if (kind === 'plan')
    return ['Approve it, and from then on edits of files in its folder are not asked about (acceptEdits).']
  if (!remembers) return [NOT_REMEMBERED]
  return [
    `Not asked about again ${scopeWords(dialog)}:`,
    ...scopeTexts(dialog).map((text) => `  ${oneLine(text)}`),
    `To revoke it: plexus rules revoke ${questionId(question)}`,
    ...offerLines(dialog),
  ]
}

/** What else is to be known of the chosen rule before it is confirmed. */
function offerLines(dialog: Dialog): string[] {
  const { offered } = dialog
  const offer = chosenOffer(dialog)
  if (offer && typeof offered === 'object') return [oneLine(offerSentence(offer, offered.compared))]
  return offered === 'failed' ? ['Which other rules there are could not be read.'] : []
}

/** What a person reads before the second key. */
export const DISMISSES =
  'The question ends for good, without an answer. The session reads that there is none: neither a yes nor a no.'

const SURE = 'It would have allowed what was denied. Remember it all the same?'

const NOT_REMEMBERED = 'This cannot be remembered: a rule asks about it, or its folder is not known.'

/** Only where several things are asked; otherwise the card has it right above. */
function replyLines({ questions }: PendingQuestion, index: number): string[] {
  const current = questions[index]
  if (!current || questions.length === 1) return []
  return [
    `${index + 1} of ${questions.length}: ${oneLine(current.question)}`,
    ...current.options.map((option, at) => `  ${at + 1}. ${oneLine(option)}`),
  ]
}

function replyLabel({ questions }: PendingQuestion, { replies }: Dialog): string {
  const { options = [], multiSelect } = questions[replies.length] ?? {}
  if (options.length === 0) return 'your answer > '
  return multiSelect ? 'numbers such as 1 3, or a text > ' : 'a number or a text > '
}

function formLines(question: PendingQuestion): string[] {
  return [
    'A form is filled in by a command, with the values of its fields:',
    `  plexus rpc answer --approval-id ${questionId(question)} --answers accept --content '{"field": "value"}'`,
  ]
}
