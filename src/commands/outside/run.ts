import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { parseInput } from '../../base/parse-input.ts'
import { childEnvironment } from '../../child/launch/child-environment.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import { configFolder } from '../../child/launch/trust.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import type { Session } from '../../sessions/record/session.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import { waitSecondsIn } from '../../text/time-text.ts'
import { type ClaudeArguments, claudeArguments } from './claude-arguments.ts'
import { ConversationWatch } from './conversation-watch.ts'
import { runInForeground } from './foreground-process.ts'
import { reportEnd } from './report-end.ts'
import { requireNoOwnServer } from './own-server.ts'
import { printQuestions } from './print-questions.ts'

/** Runs a `claude -p` of the person as a session: its calls are judged, and its questions asked, by the hub. */
export async function run({ args, flags, env, out, hub }: CommandCall): Promise<number> {
  const given = claudeArguments(args)
  if (!given.isPrinting) throw new AppError('invalid_input', NOT_INTERACTIVE)
  await requireNoOwnServer(given.mcpConfigs)
  const timeout = flags.text('timeout')
  const timeoutMs = timeout === undefined ? undefined : waitSecondsIn('--timeout', timeout) * 1_000
  const client = await hub('changes')
  const { engine, context } = client
  const session = await register(client, given, { name: flags.text('name'), timeoutMs })
  const sessionId = session.id
  const over = new AbortController()
  let conversation: ConversationWatch | undefined
  let hasBegun = false
  try {
    const { cli, args: ours, env: set } = await engine.commandConfig(context, { sessionId })
    const { [SESSION_MARK]: _, ...fixed } = set
    const identity = given.choosesConversation ? [] : [`--session-id=${sessionId}`]
    if (process.stderr.isTTY) void printQuestions(client, session, out, over.signal)
    const { pid, exitCode, signal } = await runInForeground({
      path: cli,
      args: [...ours, ...identity, ...given.args, '--', ...given.prompt],
      cwd: process.cwd(),
      env: childEnvironment(env, { sessionId, fixed }),
      onStart: async (started) => {
        if (given.choosesConversation) conversation = new ConversationWatch(configFolder(env), started)
        await engine.handOver(context, { sessionId, to: 'command', pid: started })
        hasBegun = true
      },
    })
    const ended = { exitCode, ...definedFields({ signal, cliSessionId: conversation?.end() }) }
    await reportEnd(client, { sessionId, pid, ...ended })
    return exitCode
  } finally {
    over.abort()
    conversation?.end()
    // The name is free again.
    if (!hasBegun) await engine.deleteSession(context, { sessionId }).catch(() => {})
  }
}

/** A new session each time. The name is taken from the session that had it, if that has ended; its record stays under its id. */
function register(
  { engine, context }: ClientHub,
  { permissionMode, allowedTools, addDirs }: ClaudeArguments,
  { name, timeoutMs }: { name: string | undefined; timeoutMs: number | undefined },
): Promise<Session> {
  const options = parseInput(StartOptions, {
    workingDirectory: process.cwd(),
    carrier: 'mcp',
    ...definedFields({ name, permissionMode }),
    ...(allowedTools.length === 0 ? {} : { allowedTools }),
    ...(addDirs.length === 0 ? {} : { addDirs }),
  })
  return engine.createSession(context, { options, timeoutMs })
}

const NOT_INTERACTIVE =
  'plexus run supervises claude -p, so give it -p: plexus run -- -p "what to do". For a conversation use plexus start "what to do"; plexus attach --claude NAME opens it in an interactive claude.'
