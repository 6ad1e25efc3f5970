import type { CommandCall } from '../../command-line/command.ts'
import { secondsIn } from '../../text/time-text.ts'
import { findQuestion } from '../../command-line/questions/find-question.ts'
import { questionId } from '../../command-line/views/question-views.ts'
import { questionJson } from '../../command-line/views/question-cards.ts'
import { span } from '../../command-line/views/session-words.ts'

export async function run({ args: [id = ''], flags, out, hub }: CommandCall): Promise<void> {
  const client = await hub('changes')
  const time = flags.text('for')
  const { id: approvalId } = await findQuestion(client, id)
  const question = await client.engine.extend(client.context, {
    approvalId,
    seconds: time === undefined ? undefined : secondsIn('--for', time),
  })
  if (out.isJson) return out.json({ question: questionJson(question) })
  out.say(`${questionId(question)} waits ${span((question.expiresAt ?? 0) - Date.now())} from now.`)
}
