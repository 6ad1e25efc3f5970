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
import { type NewRun, requireInteractive, runInteractive } from './run-interactive.ts'

/** Runs a `claude` of the person as a session: its calls are judged, and its questions asked, by the hub. */
export async function run(call: CommandCall): Promise<number> {
  const { args, flags, hub } = call
  const given = claudeArguments(args)
  if (!given.isPrinting) requireInteractive(call, given)
  await requireNoOwnServer(given.mcpConfigs)
  const timeout = flags.text('timeout')
  const timeoutMs = timeout === undefined ? undefined : waitSecondsIn('--timeout', timeout) * 1_000
  const client = await hub('changes')
  const session = await register(client, given, { name: flags.text('name'), timeoutMs })
  let hasBegun = false
  const begun = { session, given, onBegin: () => (hasBegun = true) }
  try {
    return await (given.isPrinting ? runPrinting : runInteractive)(call, client, begun)
  } finally {
    // The name is free again.
    if (!hasBegun)
      await client.engine.deleteSession(client.context, { sessionId: session.id }).catch(() => {})
  }
}

/** A `claude -p`. */
async function runPrinting(
  { env, out }: CommandCall,
  client: ClientHub,
  { session, given, onBegin }: NewRun,
): Promise<number> {
  const { engine, context } = client
  const sessionId = session.id
  const over = new AbortController()
  let conversation: ConversationWatch | undefined
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
        onBegin()
      },
    })
    const ended = { exitCode, ...definedFields({ signal, cliSessionId: conversation?.end() }) }
    await reportEnd(client, { sessionId, pid, ...ended })
    return exitCode
  } finally {
    over.abort()
    conversation?.end()
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
