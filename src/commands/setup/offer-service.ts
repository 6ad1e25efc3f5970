import type { CommandCall } from '../../command-line/command.ts'
import { askYesOrNo } from '../../command-line/terminal/ask-person.ts'
import { run as runService } from './service.ts'

/**
 * Offers `plexus service install` to a person who has just made use of a hub that nothing keeps running. It shows its file and
 * asks, as it always does. Where nobody can be asked nothing is offered: `--yes` was said to another change.
 */
export async function offerService(call: CommandCall): Promise<void> {
  const { out, flags } = call
  if (!out.mayPrompt || out.isJson || flags.isSet('yes')) return
  if (!(await askYesOrNo('Keep a hub running from now on (plexus service install)?'))) return
  await runService({ ...call, args: ['install'] })
}
