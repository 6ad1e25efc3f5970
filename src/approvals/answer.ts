import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { Decision } from '../events/session-event.ts'
import { PERMISSION_MODES } from '../permission-modes.ts'
import type { Approval } from './approval.ts'
import { OPTIONS, type Question, questionsOf } from './question.ts'

/** What an answerer says, in either API family. */
export const Answer = z.strictObject({
  /** One for each question, from its options; several choices of one question are joined by ", ". */
  answers: z.array(z.string()).min(1).optional(),
  /** In place of answers, where yes or no is enough. */
  approve: z.boolean().optional(),
  /** A reason for a no, a note with a yes. */
  message: z.string().optional(),
  /** Runs in place of what was asked. */
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  /** What the answerer was shown: if it is not what is asked, nothing is decided. */
  inputSha256: z.string().optional(),
  /** After a plan: the mode to go on in. */
  permissionMode: z.enum(PERMISSION_MODES).exclude(['cli']).optional(),
  /** What a form is filled in with. */
  content: z.record(z.string(), z.unknown()).optional(),
  /** Such calls need no new answer in this session. */
  remember: z.literal('session').optional(),
})
export type Answer = z.infer<typeof Answer>

/** Pure. An answer that does not fit is an error that names what fits, and the question stays. */
export function decisionFrom(approval: Approval, answer: Answer): Decision {
  const questions = questionsOf(approval)
  if (approval.kind === 'question' && answer.answers === undefined && answer.approve === false)
    return deny(answer, 'Nobody wants to answer this.')
  const answers = answersOf(approval, answer)
  requireFitting(questions, answers)
  if (answer.inputSha256 !== undefined && answer.inputSha256 !== approval.inputSha256)
    throw new AppError(
      'invalid_input',
      'What you were shown is not what is asked now; look at the question again.',
    )
  const [choice = ''] = answers
  switch (approval.kind) {
    case 'tool':
      return choice === OPTIONS.tool[0] ? allow(approval, answer) : deny(answer, 'The answer was no.')
    case 'plan':
      return choice === OPTIONS.plan[0] ? allow(approval, answer) : deny(answer, 'The plan was rejected.')
    case 'question':
      return {
        behavior: 'allow',
        updatedInput: { ...approval.input, ...answered(questions, answers, answer) },
      }
    case 'form':
      return form(choice, answer)
  }
}

/** What a plain yes or no means here. To a question there is none that is a yes. */
function answersOf({ kind }: Approval, { answers, approve }: Answer): readonly string[] {
  if (answers) return answers
  if (approve === undefined)
    throw new AppError('invalid_input', 'Say approve (true or false), or give an answer for each question.')
  if (kind === 'question') return []
  return [OPTIONS[kind][approve ? 0 : 1]]
}

function requireFitting(questions: readonly Question[], answers: readonly string[]): void {
  const options = questions.map(
    ({ question, options: all }) => `${JSON.stringify(question.slice(0, 80))}: ${all.join(', ')}`,
  )
  if (answers.length !== questions.length)
    throw new AppError(
      'invalid_input',
      `There must be ${questions.length} answers, one for each question, not ${answers.length}. ${options.join('; ')}`,
    )
  for (const [index, { options: all, freeText }] of questions.entries()) {
    if (freeText || all.includes(answers[index] ?? '')) continue
    throw new AppError(
      'invalid_input',
      `${JSON.stringify(answers[index])} is not one of the options: ${all.join(', ')}.`,
      {
        data: { options: all },
      },
    )
  }
}

/** What would be remembered is what was asked; who edits it has just said that it should not run. */
function requireNotOtherThanRemembered({ input }: Approval, { remember, updatedInput }: Answer): void {
  if (!remember || !updatedInput || isDeepStrictEqual(updatedInput, input)) return
  throw new AppError(
    'invalid_input',
    'An edited input cannot be remembered, for the original would be; leave out remember or updatedInput.',
  )
}

function allow(approval: Approval, answer: Answer): Decision {
  requireNotOtherThanRemembered(approval, answer)
  const { updatedInput, remember, permissionMode } = answer
  const rules = remember ? forThisSession(approval.suggestions ?? []) : []
  const mode = permissionMode ? [{ type: 'setMode', mode: permissionMode, destination: 'session' }] : []
  const updatedPermissions = [...rules, ...mode]
  const decision = { behavior: 'allow', updatedInput: updatedInput ?? { ...approval.input } } as const
  return updatedPermissions.length === 0 ? decision : { ...decision, updatedPermissions }
}

/** The CLI suggests to write its rules into the project's settings; what is remembered here ends with the session. */
function forThisSession(suggestions: readonly unknown[]): unknown[] {
  return suggestions
    .filter((one) => typeof one === 'object' && one !== null)
    .map((one) => ({ ...one, destination: 'session' }))
}

function deny({ message }: Answer, otherwise: string): Decision {
  return { behavior: 'deny', message: message || otherwise }
}

/** The CLI wants a record by the full text of the question. */
function answered(questions: readonly Question[], answers: readonly string[], { message }: Answer): object {
  const record = Object.fromEntries(questions.map(({ question }, index) => [question, answers[index]]))
  const [first] = questions
  return message && first
    ? { answers: record, annotations: { [first.question]: { notes: message } } }
    : { answers: record }
}

function form(choice: string, { content }: Answer): Decision {
  const action = OPTIONS.form.find((one) => one === choice) ?? 'cancel'
  return action === 'accept'
    ? { behavior: 'form', action, content: content ?? {} }
    : { behavior: 'form', action }
}

/** What an approval becomes by a decision. */
export function statusOf(decision: Decision): 'allowed' | 'denied' {
  if (decision.behavior === 'form') return decision.action === 'accept' ? 'allowed' : 'denied'
  return decision.behavior === 'allow' ? 'allowed' : 'denied'
}
