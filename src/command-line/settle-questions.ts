import { alreadySettledError } from '../approvals/already-settled-error.ts'
import type { Answer } from '../approvals/answer.ts'
import { AppError } from '../base/errors.ts'
import type { PendingQuestion } from '../engine/engine.ts'
import type { ClientHub } from './command.ts'
import { findQuestion } from './find-question.ts'
import type { Output } from './output.ts'
import { questionId, questionLine } from './views/question-views.ts'

/**
 * Gives the same answer to each of these questions. All of them must be open before the first is answered. Each answer names
 * what was shown: if the question is another by then, it is refused.
 */
export async function settleQuestions(
  client: ClientHub,
  ids: readonly string[],
  answerTo: (question: PendingQuestion) => Answer,
  out: Output,
): Promise<void> {
  const questions: PendingQuestion[] = []
  for (const id of ids) {
    const question = await findQuestion(client, id)
    if (question.status !== 'pending') throw alreadySettledError(question)
    if (questions.some((known) => known.id === question.id))
      throw new AppError('invalid_input', `${questionId(question)} is named twice.`)
    questions.push(question)
  }
  for (const question of questions) {
    const { engine, context } = client
    const settled = await engine.answer(context, {
      approvalId: question.id,
      sessionId: question.sessionId,
      inputSha256: question.inputSha256,
      ...answerTo(question),
    })
    const id = questionId(question)
    if (out.isJson)
      out.json({ id: question.id, shortId: id, status: settled.status, delivery: settled.delivery })
    else out.line(`${id} ${settled.status}: ${questionLine(question)}`)
  }
}

/** The hash that a person was shown, if it was given; it must be the hash of what is asked now. */
export function requireMatch({ inputSha256 }: PendingQuestion, shown: string | undefined): void {
  if (shown === undefined || (shown.length >= 8 && inputSha256.startsWith(shown.toLowerCase()))) return
  throw new AppError('changed', 'What is asked now is not what you were shown; plexus show prints it.')
}
