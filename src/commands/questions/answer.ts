import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { openQuestions, settleQuestions } from '../../command-line/questions/settle-questions.ts'
import { questionId } from '../../command-line/views/question-views.ts'
import { replyOf, replyProblem } from '../../command-line/views/reply-text.ts'
import type { PendingQuestion } from '../../engine/engine.ts'

/** One text for each question; the number of an option stands for it. */
export async function run(call: CommandCall): Promise<void> {
  const [id = '', ...texts] = call.args
  const client = await call.hub('changes')
  const asked = await openQuestions(client, [id])
  for (const question of asked) requireAnswerable(question, texts)
  await settleQuestions(
    client,
    asked,
    ({ questions }) => ({ answers: texts.map((text, at) => replyOf(questions[at], text)) }),
    call,
  )
}

function requireAnswerable(question: PendingQuestion, texts: readonly string[]): void {
  const id = questionId(question)
  if (question.kind === 'tool' || question.kind === 'plan')
    throw new AppError(
      'invalid_input',
      `${id} asks for a yes or a no; plexus allow ${id} or plexus deny ${id} answers it.`,
    )
  for (const [at, text] of texts.entries()) {
    const problem = question.kind === 'question' ? replyProblem(question.questions[at], text) : undefined
    if (problem !== undefined) throw new AppError('invalid_input', `${id}: ${problem}`)
  }
}
