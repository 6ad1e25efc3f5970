import { AppError } from '../../base/errors.ts'
import { LEASE_SECONDS } from '../../base/limits.ts'
import { homeOf } from '../../command-line/client-hub.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'
import { endHub } from '../../hub/background/end-hub.ts'
import { hubHolder } from '../../hub/hub-lock.ts'

export async function run(call: CommandCall): Promise<void> {
  const { args, flags, out, hub } = call
  if (flags.isSet('hub') === args.length > 0)
    throw new AppError(
      'invalid_input',
      'Say which: plexus stop SESSION ends a session, plexus stop --hub the hub.',
    )
  if (flags.isSet('hub')) return stopHub(call)
  const { engine, context } = await hub('changes')
  for (const sessionId of args) {
    const session = await engine.stopSession(context, { sessionId })
    if (out.isJson) out.json({ id: session.id, status: session.status })
    else
      out.say(
        `The process of ${labelOf(session)} has ended; plexus say ${typedName(session)} "..." resumes it.`,
      )
  }
}

/** By the signal that a service would send: no child is ended by it, unless the hub was started with --end-children. */
async function stopHub({ env, flags, out }: CommandCall): Promise<void> {
  const holder = await hubHolder(homeOf(env, flags.text('home')))
  if (holder) await endHub(holder)
  if (out.isJson) return out.json({ stopped: holder !== undefined, ...(holder ? { pid: holder.pid } : {}) })
  if (!holder) return out.say('No hub runs, so there was nothing to end.')
  out.say(
    `The hub (pid ${holder.pid}) has ended. Its sessions keep running for ${LEASE_SECONDS / 60} minutes; plexus serve, or a command that needs a hub, brings it back.`,
  )
}
