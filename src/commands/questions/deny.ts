import type { CommandCall } from '../../command-line/command.ts'
import { requireMatch, settleQuestions } from '../../command-line/settle-questions.ts'

export async function run({ args, flags, out, hub }: CommandCall): Promise<void> {
  const [message, shown] = [flags.text('message'), flags.text('if-match')]
  const answer = { approve: false, ...(message === undefined ? {} : { message }) }
  await settleQuestions(
    await hub('changes'),
    args,
    (question) => {
      requireMatch(question, shown)
      return answer
    },
    out,
  )
}
