import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { askYesOrNo } from '../../command-line/terminal/ask-person.ts'

/** Whether the person says yes: by `--yes`, or when asked. Where nobody can be asked, nothing is done. */
export async function confirm(
  question: string,
  { out, flags }: Pick<CommandCall, 'out' | 'flags'>,
): Promise<boolean> {
  if (flags.isSet('yes')) return true
  if (!out.mayPrompt || out.isJson)
    throw new AppError('invalid_input', 'Nobody can be asked here, so nothing was done; add --yes to do it.')
  const isYes = await askYesOrNo(question)
  if (!isYes) out.say('Nothing was changed.')
  return isYes
}
