import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { coverAll } from '../../command-line/questions/cover-all.ts'
import { openQuestions, settleQuestions } from '../../command-line/questions/settle-questions.ts'

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, out, hub } = call
  const message = flags.text('message')
  if (args.length === 0 && !flags.isSet('all'))
    throw new AppError('invalid_input', 'Say what to deny: plexus deny ID, or --all.')
  const client = await hub('changes')
  const questions = flags.isSet('all')
    ? await coverAll(client, call, { verb: 'deny', fits: () => true })
    : await openQuestions(client, args)
  if (!questions) {
    out.say('Nothing was answered.')
    return 1
  }
  const answer = { approve: false, ...(message === undefined ? {} : { message }) }
  if (questions.length > 0) await settleQuestions(client, questions, () => answer, call)
  return 0
}
