import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { configFolder } from '../../child/launch/trust.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'
import { ConversationWatch } from './conversation-watch.ts'
import { runInForeground } from './foreground-process.ts'
import { reportEnd } from './report-end.ts'

/** Opens the conversation of a session in the person's own interactive CLI, until they leave it. */
export async function attachClaude({ args, flags, env, out, hub }: CommandCall): Promise<number> {
  const [wanted = ''] = args
  if (!out.mayPrompt || !out.isTerminal)
    throw new AppError('invalid_input', 'plexus attach --claude needs a terminal.')
  const client = await hub('changes')
  const { engine, context } = client
  const stop = flags.isSet('stop') ? ({ stop: true } as const) : {}
  const { pid } = process
  const handed = await engine.handOver(context, { sessionId: wanted, to: 'terminal', pid, ...stop })
  const { session, command } = handed
  if (!command) throw new AppError('internal', 'The hub did not say how to open the conversation.')
  const [label, name] = [labelOf(session), typedName(session)]
  out.say(
    `${label} is open in this terminal now. What it asks is asked here (and in Plexus too, with plexus terminals on), and what is said here is not in plexus logs. It comes back when you leave claude.`,
  )
  const { CLAUDE_CONFIG_DIR: _, ...rest } = env
  const own = { ...rest, ...definedFields({ CLAUDE_CONFIG_DIR: command.configFolder }) }
  let conversation: ConversationWatch | undefined
  try {
    const { exitCode } = await runInForeground({
      path: command.cli,
      args: command.args,
      cwd: command.workingDirectory,
      env: own,
      onStart: async (child) => {
        conversation = new ConversationWatch(configFolder(own), child)
      },
    })
    return exitCode
  } finally {
    const ended = definedFields({ cliSessionId: conversation?.end() })
    await reportEnd(client, { sessionId: session.id, pid, ...ended })
    out.say(`${label} is back. plexus say ${name} "..." continues with all that was said here.`)
  }
}
