import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../base/errors.ts'
import type { Answer } from './answer.ts'
import type { Approval } from './approval.ts'
import { OPTIONS, type Question } from './question.ts'
import { suggestedRules } from './grants/suggested-rules.ts'

/** Requires one answer for each question, and each from its options unless free text is valid. */
export function requireValidAnswers(questions: readonly Question[], answers: readonly string[]): void {
  const options = questions.map(
    ({ question, options: all }) => `${JSON.stringify(question.slice(0, 80))}: ${all.join(', ')}`,
  )
  if (answers.length !== questions.length)
    throw new AppError(
      'invalid_input',
      `There must be ${questions.length} answers, one for each question, not ${answers.length}. ${options.join('; ')}`,
    )
  for (const [index, { options: all, freeText }] of questions.entries()) {
    if (all.includes(answers[index] ?? '') || (freeText && !isWrongKind(answers[index] ?? '', all))) continue
    throw new AppError(
      'invalid_input',
      `${JSON.stringify(answers[index])} is not one of the options: ${all.join(', ')}.`,
      {
        data: { options: all },
      },
    )
  }
}

/** The answer fits another kind of question: a caller who answers allow to "Which colour?" has not read it. */
function isWrongKind(answer: string, options: readonly string[]): boolean {
  const word = answer.trim().toLowerCase()
  return (
    options.length > 0 && YES_AND_NO.has(word) && !options.some((option) => option.toLowerCase() === word)
  )
}

const YES_AND_NO: ReadonlySet<string> = new Set(Object.values(OPTIONS).flat())

/** Rejects an answer that contradicts itself or has a field that would be ignored: the caller meant something else. */
export function requireConsistent(approval: Approval, answer: Answer, yes: boolean): void {
  const { kind, input } = approval
  const { approve, message, updatedInput, permissionMode, content, remember, rememberSeconds, rememberRule } =
    answer
  if (approve !== undefined && approve !== yes)
    throw invalidAnswer('approve and answers contradict each other; give only one of them.')
  if (message?.trim() && yes && kind === 'form')
    throw invalidAnswer('A form that is accepted has no place for a message; leave it out.')
  if (message?.trim() && kind === 'budget')
    throw invalidAnswer('Nobody reads a message with an answer about a budget; leave it out.')
  const runs = yes && (kind === 'tool' || kind === 'plan')
  if (runs && (message?.length ?? 0) > MAX_NOTE)
    throw invalidAnswer(
      `A message with a yes may have at most ${MAX_NOTE} characters; say the rest as a prompt of its own.`,
    )
  if (updatedInput && !runs)
    throw invalidAnswer('updatedInput goes with the approval of a tool or a plan only; leave it out.')
  if (permissionMode && !runs)
    throw invalidAnswer('permissionMode goes with an approval only, such as that of a plan; leave it out.')
  if (content && !(yes && kind === 'form'))
    throw invalidAnswer('content goes with a form that is accepted only; leave it out.')
  if (!remember && (rememberSeconds !== undefined || rememberRule !== undefined))
    throw invalidAnswer('A time and an offered rule go with remember only; add remember, such as "session".')
  if (remember === 'suggested' && rememberRule !== undefined)
    throw invalidAnswer('An offered rule takes the place of the suggested rules; use another remember.')
  if (remember && !(yes && kind === 'tool'))
    throw invalidAnswer('Only that a tool was allowed can be remembered; leave out remember.')
  if (remember === 'suggested' && suggestedRules(approval).length === 0)
    throw invalidAnswer(
      'This question came without suggested rules; use remember "session" to keep the very call, or leave it out.',
    )
  // The original input would be remembered, and the caller who edits it does not want that input to run.
  if (remember && updatedInput && !isDeepStrictEqual(updatedInput, input))
    throw invalidAnswer(
      'An edited input cannot be remembered, because the original would be; leave out remember or updatedInput.',
    )
}

function invalidAnswer(sentence: string): AppError {
  return new AppError('invalid_input', sentence)
}

/** Of a longer text after a call the CLI gives the model only a preview and the name of a file. */
const MAX_NOTE = 8_000
