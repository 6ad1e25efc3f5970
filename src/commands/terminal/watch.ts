import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { watchScreen } from '../../command-line/watch/watch-screen.ts'
import { attachTo } from './attach.ts'
import { screenOptions } from './screen-options.ts'

/** One live screen; `o` attaches to a session, and leaving that comes back here. */
export async function run({ env, out, hub }: CommandCall): Promise<void> {
  if (!out.mayPrompt || !out.isTerminal)
    throw new AppError(
      'invalid_input',
      'plexus watch needs a terminal; plexus ls lists the sessions without one.',
    )
  if (out.look.isPlain)
    throw new AppError(
      'invalid_input',
      'plexus watch repaints its screen, and this terminal is used without that; plexus pending lists what waits, plexus attach NAME asks about it.',
    )
  const client = await hub('reads')
  const options = screenOptions({ env, out })
  for (;;) {
    const sessionId = await watchScreen(client, options)
    if (sessionId === undefined) return
    await attachTo(client, sessionId, options)
  }
}
