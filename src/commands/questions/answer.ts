import type { CommandCall } from '../../command-line/command.ts'
import { requireMatch, settleQuestions } from '../../command-line/settle-questions.ts'
import type { Question } from '../../approvals/question.ts'

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

export function optionOf(question: Pick<Question, 'options'> | undefined, text: string): string {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  return question?.options[number - 1] ?? text
}
