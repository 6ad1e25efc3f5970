import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { budgetChoice, useIn } from '../budgets/budget-question.ts'
import { selector, wholeNumber } from '../base/input-fields.ts'
import type { Decision } from '../events/decision.ts'
import { PERMISSION_MODES } from '../base/permission-modes.ts'
import type { Approval } from './approval.ts'
import type { StoredEnd } from '../base/answer-via.ts'
import { DECLINED_QUESTION, DENIED, DISMISSED } from './ends/model-sentences.ts'
import { validateContent } from './form-content.ts'
import { isPlanApproved, PLAN_REJECTED } from './plan.ts'
import { Remember } from './grants/remember.ts'
import { OPTIONS, type Question, questionsOf } from './question.ts'
import { requireConsistent, requireValidAnswers } from './validate-answer.ts'

const MAX_REMEMBER_SECONDS = 30 * 24 * 3_600

/** The answer to an approval, in either API family. */
export const Answer = z.strictObject({
  /** One for each question, from its options; several choices of one are joined by ", ". */
  answers: z.array(z.string()).min(1).optional(),
  /** Instead of `answers`, where yes or no is enough. */
  approve: z.boolean().optional(),
  /** Closes a question or a form without an answer: neither a yes nor a no. */
  dismiss: z.literal(true).optional(),
  /** A reason for a no, a note with a yes. */
  message: z.string().optional(),
  /** Runs instead of the requested input. */
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  /** Hash of the input that the answerer was shown: if it differs from the requested input, nothing is decided. */
  inputSha256: z.string().optional(),
  /** After a plan: the mode in which the session continues. */
  permissionMode: z.enum(PERMISSION_MODES).exclude(['cli']).optional(),
  /** The values of a form's fields. */
  content: z.record(z.string(), z.unknown()).optional(),
  /** Where this exact call needs no new answer. `suggested`: in this session, nor do calls that match the suggested rules. */
  remember: Remember.optional(),
  /** With `remember`: for how long. */
  rememberSeconds: wholeNumber('rememberSeconds', 1, MAX_REMEMBER_SECONDS).optional(),
  /** With `remember`: the id of an offered rule, which is remembered in place of the exact call. */
  rememberRule: selector('rememberRule').optional(),
})
export type Answer = z.infer<typeof Answer>

/** Pure. An answer that is not valid is an error that says what is valid, and the question stays open. */
export function decisionFrom(approval: Approval, answer: Answer): Decision {
  if (answer.inputSha256 !== undefined && answer.inputSha256 !== approval.inputSha256)
    throw new AppError('changed', 'What you were shown is not what is asked now; read the question again.')
  const decision = decide(approval, answer)
  requireConsistent(approval, answer, statusOf(decision) === 'allowed')
  return decision
}

function decide(approval: Approval, answer: Answer): Decision {
  const questions = questionsOf(approval)
  if (answer.dismiss) return dismiss(approval, answer)
  if (approval.kind === 'question' && answer.answers === undefined && answer.approve === false)
    return deny(answer, DECLINED_QUESTION)
  const answers = answersOf(approval, answer)
  requireValidAnswers(questions, answers)
  const [choice = ''] = answers
  switch (approval.kind) {
    case 'tool':
      return choice === OPTIONS.tool[0] ? allow(approval, answer) : deny(answer, DENIED)
    case 'plan':
      return isPlanApproved(choice) ? allow(approval, answer) : deny(answer, PLAN_REJECTED)
    case 'question':
      return {
        behavior: 'allow',
        updatedInput: { ...approval.input, ...answeredInput(questions, answers, answer) },
      }
    case 'form':
      return decideForm(choice, approval, answer)
    case 'budget': {
      const use = useIn(approval.input)
      return { behavior: 'budget', resource: use.resource, ...budgetChoice(use, choice) }
    }
  }
}

/** The answers that a plain yes or no stands for. A yes is no answer to a question with options. */
function answersOf({ kind }: Approval, { answers, approve }: Answer): readonly string[] {
  if (answers) return answers
  if (approve === undefined)
    throw new AppError('invalid_input', 'Say approve (true or false), or give an answer for each question.')
  if (kind === 'question') return []
  if (kind === 'budget') return [approve ? 'continue' : 'stop']
  return [OPTIONS[kind][approve ? 0 : 1]]
}

function allow(approval: Approval, answer: Answer): Decision {
  const { updatedInput, message } = answer
  const decision = {
    behavior: 'allow',
    updatedInput: updatedInput ?? { ...approval.input },
    ...(message?.trim() ? { message } : {}),
  } as const
  const permissionMode = answer.permissionMode ?? modeAfter(approval)
  if (!permissionMode) return decision
  return {
    ...decision,
    updatedPermissions: [{ type: 'setMode', mode: permissionMode, destination: 'session' }],
  }
}

/**
 * A terminal that is given no mode returns to the one before plan mode. The keys to plan mode lead through the one that edits
 * unasked, so nobody may have chosen it.
 */
function modeAfter({ kind, carrier }: Approval): Answer['permissionMode'] {
  return kind === 'plan' && carrier === 'terminal' ? 'default' : undefined
}

function deny({ message }: Answer, defaultMessage: string): Decision {
  return { behavior: 'deny', message: message || defaultMessage }
}

/** A tool or a plan needs a yes or a no: to leave it open, nothing has to be said. */
function dismiss({ kind }: Approval, { answers, approve, message }: Answer): Decision {
  if (kind !== 'question' && kind !== 'form')
    throw new AppError('invalid_input', 'This asks for a yes or a no; allow it, deny it, or leave it open.')
  if (answers !== undefined || approve !== undefined || message !== undefined)
    throw new AppError(
      'invalid_input',
      'dismiss closes a question without an answer; give nothing else with it.',
    )
  return kind === 'form' ? { behavior: 'form', action: 'cancel' } : { behavior: 'deny', message: DISMISSED }
}

/** The end of a question by an answer, where its status does not say it. */
export function endBy(decision: Decision, { dismiss: isDismissed }: Answer): StoredEnd | undefined {
  const isCancelled = decision.behavior === 'form' && decision.action === 'cancel'
  return isDismissed || isCancelled ? 'dismissed' : undefined
}

/** The CLI expects a record that is keyed by the full text of the question. */
function answeredInput(
  questions: readonly Question[],
  answers: readonly string[],
  { message }: Answer,
): object {
  const record = Object.fromEntries(questions.map(({ question }, index) => [question, answers[index]]))
  const [first] = questions
  return message && first
    ? { answers: record, annotations: { [first.question]: { notes: message } } }
    : { answers: record }
}

function decideForm(choice: string, approval: Approval, { content }: Answer): Decision {
  const action = OPTIONS.form.find((option) => option === choice) ?? 'cancel'
  if (action !== 'accept') return { behavior: 'form', action }
  const fit = validateContent(approval, content)
  if ('content' in fit) return { behavior: 'form', action, content: fit.content }
  throw new AppError(
    'invalid_input',
    `The form is not filled in as its schema wants it (${fit.misfit}); correct content, or decline.`,
  )
}

/** The status of an approval after a decision. */
export function statusOf(decision: Decision): 'allowed' | 'denied' {
  if (decision.behavior === 'form') return decision.action === 'accept' ? 'allowed' : 'denied'
  if (decision.behavior === 'budget') return decision.action === 'stop' ? 'denied' : 'allowed'
  return decision.behavior === 'allow' ? 'allowed' : 'denied'
}
