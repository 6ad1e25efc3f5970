import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Answer } from '../../approvals/answer.ts'
import { endOf } from '../../approvals/ends/question-end.ts'
import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub, CommandCall } from '../command.ts'
import { findQuestion } from './find-question.ts'
import { answerInLine, answerParts } from '../views/answer-lines.ts'
import { callLine, questionId, questionLine } from '../views/question-views.ts'
import { oneLine } from '../views/session-words.ts'

/** The open questions that a person names. */
export async function openQuestions(client: ClientHub, ids: readonly string[]): Promise<PendingQuestion[]> {
  const questions: PendingQuestion[] = []
  for (const id of ids) {
    const question = await findQuestion(client, id)
    if (question.status !== 'pending') throw named(alreadySettledError(question), questionId(question))
    if (questions.some((known) => known.id === question.id))
      throw new AppError('invalid_input', `${questionId(question)} is named twice.`)
    questions.push(question)
  }
  return questions
}

/**
 * Answers these questions as one decision: all of them, or none. Each answer names what was shown: if the question is another by
 * then, it is refused.
 */
export async function settleQuestions(
  { engine, context }: ClientHub,
  questions: readonly PendingQuestion[],
  answerTo: (question: PendingQuestion) => Answer,
  { out, flags }: Pick<CommandCall, 'out' | 'flags'>,
): Promise<void> {
  requireMatch(questions, flags.text('if-match'))
  const settled = await engine
    .answerAll(context, {
      questions: questions.map((question) => ({
        ...answerTo(question),
        approvalId: question.id,
        sessionId: question.sessionId,
        inputSha256: question.inputSha256,
      })),
    })
    .catch((error: unknown) => {
      throw inTypedIds(error, questions)
    })
  for (const [index, question] of questions.entries()) {
    const done = settled[index]
    const { status = 'pending', delivery, remembered } = done ?? {}
    const end = done ? endOf(done) : status
    const id = questionId(question)
    if (out.isJson) out.json({ id: question.id, shortId: id, status, end, delivery, remembered })
    else out.line(flags.isSet('quiet') ? id : `${id} ${settledText(question, end, done)}`)
    // The very text of what is not asked about again.
    if (!out.isJson && remembered) {
      for (const text of remembered.texts) out.say(oneLine(`Remembered: ${text}`))
      out.say(`plexus rules revoke ${id} ends it.`)
    }
  }
}

/** What was answered, in a line: of an edited call what runs, and not what was asked. Pure. */
function settledText(
  question: PendingQuestion,
  end: string,
  done: Pick<PendingQuestion, 'decision'> | undefined,
): string {
  const { approvedInput } = answerParts(question, done?.decision)
  if (approvedInput) return `${end} as edited: ${callLine({ ...question, input: approvedInput })}`
  // A yes about a budget is one of several answers.
  const chosen = question.kind === 'budget' ? answerInLine(question, done?.decision) : ''
  return `${end}: ${questionLine(question)}${chosen}`
}

/** A person may have named several: the error says which one it is about. */
function named(error: AppError, id: string): AppError {
  return new AppError(error.code, `${id}: ${error.message}`, { cause: error, ...dataOf(error) })
}

/** The engine names a question by its id; a person knows it by another. */
function inTypedIds(error: unknown, questions: readonly PendingQuestion[]): unknown {
  if (!(error instanceof AppError)) return error
  const [only] = questions
  if (only && questions.length === 1) return named(error, questionId(only))
  const message = questions.reduce((text, one) => text.replaceAll(one.id, questionId(one)), error.message)
  return new AppError(error.code, message, { cause: error, ...dataOf(error) })
}

function dataOf({ data }: AppError): { data?: Record<string, unknown> } {
  return data === undefined ? {} : { data }
}

/** The hash that a person was shown, if it was given; it must be the hash of what is asked now. */
function requireMatch(questions: readonly PendingQuestion[], shown: string | undefined): void {
  if (shown === undefined) return
  if (questions.length > 1)
    throw new AppError('invalid_input', '--if-match is the hash of one question; name only that one.')
  const isShown = questions.every(
    ({ inputSha256 }) => shown.length >= MIN_HASH && inputSha256.startsWith(shown.toLowerCase()),
  )
  if (!isShown)
    throw new AppError('changed', 'What is asked now is not what you were shown; plexus show prints it.')
}

const MIN_HASH = 8
