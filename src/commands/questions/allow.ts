import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { requireMatch, settleQuestions } from '../../command-line/settle-questions.ts'

export async function run({ args, flags, out, hub }: CommandCall): Promise<void> {
  const message = flags.text('message')
  const remember = flags.text('remember')
  const shown = flags.text('if-match')
  if (remember !== undefined && remember !== 'session' && remember !== 'suggested')
    throw new AppError('invalid_input', '--remember must be session or suggested.')
  await settleQuestions(
    await hub('changes'),
    args,
    (question) => {
      requireMatch(question, shown)
      if (question.kind === 'question')
        throw new AppError('invalid_input', 'It asks for a choice; plexus answer ID "the choice" gives one.')
      return {
        approve: true,
        ...(message === undefined ? {} : { message }),
        ...(remember === undefined ? {} : { remember }),
      }
    },
    out,
  )
}
