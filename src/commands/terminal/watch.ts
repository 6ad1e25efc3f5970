import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { attachTo } from './attach.ts'
import { watchScreen } from '../../command-line/watch/watch-screen.ts'

/** One live screen; Enter attaches to a session, and leaving that comes back here. */
export async function run({ env, out, hub }: CommandCall): Promise<void> {
  if (!out.mayPrompt || !out.isTerminal)
    throw new AppError(
      'invalid_input',
      'plexus watch needs a terminal; plexus ls lists the sessions without one.',
    )
  const client = await hub('reads')
  for (;;) {
    const sessionId = await watchScreen(client, out, env['HOME'])
    if (sessionId === undefined) return
    await attachTo(client, sessionId, env['HOME'])
  }
}
