import { AppError } from '../../base/errors.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { followSession, type FollowOptions } from '../../command-line/follow/follow-session.ts'
import { inTerminal } from '../../command-line/views/session-words.ts'
import { screenOptions } from './screen-options.ts'

/** Joins a session that runs: its last events first, then what happens. */
export async function run(call: CommandCall): Promise<number | void> {
  const { args, flags, env, out, hub } = call
  const [sessionId = ''] = args
  if (flags.isSet('claude')) return (await import('../outside/attach-claude.ts')).attachClaude(call)
  if (!out.mayPrompt)
    throw new AppError(
      'invalid_input',
      'plexus attach needs a terminal; plexus logs -f follows a session without one.',
    )
  await attachTo(await hub('changes'), sessionId, screenOptions({ env, out }))
}

export async function attachTo(
  client: ClientHub,
  sessionId: string,
  options: Omit<FollowOptions, 'after'>,
): Promise<void> {
  const session = await client.engine.getSession(client.context, { sessionId })
  const there = inTerminal(session)
  if (there !== undefined) throw new AppError('in_use', there)
  await followSession(client, session, { ...options, after: Math.max(0, session.lastSeq - LAST_EVENTS) })
}

const LAST_EVENTS = 50
