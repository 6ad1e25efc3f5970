import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { childEnvironment } from '../../child/launch/child-environment.ts'
import { configFolder } from '../../child/launch/trust.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'
import type { Session } from '../../sessions/record/session.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import type { ClaudeArguments } from './claude-arguments.ts'
import { ConversationWatch } from './conversation-watch.ts'
import { dialogHooks } from './dialog-hooks.ts'
import { runInForeground } from './foreground-process.ts'
import { reportEnd } from './report-end.ts'

/** What was registered, and not begun yet. */
export interface NewRun {
  readonly session: Session
  readonly given: ClaudeArguments
  /** It has begun: its session stays. */
  readonly onBegin: () => void
}

/** Throws before anything is stored, where an interactive `claude` could not be run so. */
export function requireInteractive({ out, flags }: CommandCall, given: ClaudeArguments): void {
  if (!out.mayPrompt || !out.isTerminal) throw new AppError('invalid_input', NEEDS_TERMINAL)
  if (flags.text('timeout') !== undefined) throw new AppError('invalid_input', NO_TIMEOUT)
  if (given.choosesConversation) throw new AppError('invalid_input', NEW_ONLY)
}

/**
 * Runs an interactive `claude` of the person as a session. Each of its calls is judged by the hub, and what its dialogs ask is
 * asked at the hub too: the first answer counts.
 */
export async function runInteractive(
  { flags, env, out }: CommandCall,
  client: ClientHub,
  { session, given, onBegin }: NewRun,
): Promise<number> {
  const { engine, context } = client
  const { id: sessionId } = session
  const { pid } = process
  const config = await engine.commandConfig(context, { sessionId, to: 'terminal' })
  const hooks = await dialogHooks({ env, flags })
  const settings = withHooks(config.settings ?? {}, hooks)
  // Before it starts: the hub finds a claude in a terminal by itself too, and then it would be nobody's to report.
  await engine.handOver(context, { sessionId, to: 'terminal', pid })
  onBegin()
  out.say(
    `${labelOf(session)} is open in this terminal. What it asks is asked here and in Plexus, and the first answer counts.`,
  )
  let conversation: ConversationWatch | undefined
  let exitCode: number | undefined
  try {
    // With the mark of a session it would count as a process of ours, which is asked on another way.
    const { [SESSION_MARK]: _, ...own } = childEnvironment(env, { sessionId, fixed: config.env })
    ;({ exitCode } = await runInForeground({
      path: config.cli,
      args: [
        `--settings=${JSON.stringify(settings)}`,
        ...config.args,
        `--session-id=${sessionId}`,
        ...given.args,
        '--',
        ...given.prompt,
      ],
      cwd: process.cwd(),
      env: own,
      onStart: async (child) => {
        conversation = new ConversationWatch(configFolder(own), child)
      },
    }))
    return exitCode
  } finally {
    const ended = definedFields({ exitCode, cliSessionId: conversation?.end() })
    await reportEnd(client, { sessionId, pid, ...ended })
    out.say(`${labelOf(session)} has ended. plexus say ${typedName(session)} "..." continues it here.`)
  }
}

function withHooks(settings: { readonly hooks?: object }, hooks: object): object {
  return { ...settings, hooks: { ...settings.hooks, ...hooks } }
}

const NEEDS_TERMINAL =
  'Without -p plexus run opens an interactive claude, which needs a terminal; for a script give it -p: plexus run -- -p "what to do".'
const NO_TIMEOUT = '--timeout is for claude -p: what a terminal asks stays open there until somebody answers.'
const NEW_ONLY =
  'Without -p plexus run begins a new conversation; plexus attach --claude NAME opens one that there is.'
