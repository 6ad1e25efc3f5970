import type { CommandCall } from '../../command-line/command.ts'
import { openQuestions, settleQuestions } from '../../command-line/questions/settle-questions.ts'
import { optionOf } from '../../command-line/views/question-views.ts'

/** One text for each question; the number of an option stands for it. */
export async function run(call: CommandCall): Promise<void> {
  const [id = '', ...texts] = call.args
  const client = await call.hub('changes')
  await settleQuestions(
    client,
    await openQuestions(client, [id]),
    ({ questions }) => ({ answers: texts.map((text, at) => optionOf(questions[at], text)) }),
    call,
  )
}
