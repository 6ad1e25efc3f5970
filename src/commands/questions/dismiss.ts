import type { CommandCall } from '../../command-line/command.ts'
import { openQuestions, settleQuestions } from '../../command-line/questions/settle-questions.ts'

/** Closes a question or a form without an answer: the model reads that this is neither a yes nor a no. */
export async function run(call: CommandCall): Promise<void> {
  const client = await call.hub('changes')
  await settleQuestions(client, await openQuestions(client, call.args), () => ({ dismiss: true }), call)
}
