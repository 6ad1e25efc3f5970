import type { CommandCall } from '../../command-line/command.ts'
import { requireMatch, settleQuestions } from '../../command-line/settle-questions.ts'
import { optionOf } from '../../command-line/views/question-views.ts'

/** One text for each question; the number of an option stands for it. */
export async function run({ args: [id = '', ...texts], flags, out, hub }: CommandCall): Promise<void> {
  await settleQuestions(
    await hub('changes'),
    [id],
    (question) => {
      requireMatch(question, flags.text('if-match'))
      return { answers: texts.map((text, at) => optionOf(question.questions[at], text)) }
    },
    out,
  )
}
