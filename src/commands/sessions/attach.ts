import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { followSession } from '../../command-line/follow/follow-session.ts'

/** Joins a session that runs: its last events first, then what happens. */
export async function run({ args: [sessionId = ''], env, out, hub }: CommandCall): Promise<void> {
  if (!out.mayPrompt)
    throw new AppError(
      'invalid_input',
      'plexus attach needs a terminal; plexus logs -f follows a session without one.',
    )
  const client = await hub('changes')
  const session = await client.engine.getSession(client.context, { sessionId })
  const after = Math.max(0, session.lastSeq - LAST_EVENTS)
  await followSession(client, session, { homeFolder: env['HOME'], after })
}

const LAST_EVENTS = 50
