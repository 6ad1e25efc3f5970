import { folderArgs, identityArgs, modeArgs, modelArgs } from '../../child/launch/child-args.ts'
import type { Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import { conversationStart } from './conversation-start.ts'
import type { HubEnvironment } from './hub-environment.ts'
import { optionsNow } from './launch-spec.ts'
import { workingDirectoryOf } from './session-folders.ts'

/** How a person's own interactive CLI continues a conversation. */
export interface TerminalCommand {
  readonly cli: string
  readonly args: readonly string[]
  readonly workingDirectory: string
  /** CLAUDE_CONFIG_DIR of the hub: the conversation is there. Absent if the hub has none. */
  readonly configFolder?: string | undefined
}

/** With its folders, mode and model; its settings, servers and hooks are those of the person. */
export async function terminalCommand(
  session: Session,
  state: SessionState,
  environment: HubEnvironment,
): Promise<TerminalCommand> {
  const start = await conversationStart(session, environment)
  const { path: cli } = await environment.findCli()
  const options = optionsNow(session.config, state)
  const { CLAUDE_CONFIG_DIR: configFolder } = environment.env
  return {
    cli,
    args: [
      ...identityArgs({ ...start, sessionId: session.cliSessionId }),
      ...modeArgs(options),
      ...modelArgs(options),
      ...folderArgs(options),
    ],
    workingDirectory: workingDirectoryOf(session, state),
    ...(configFolder ? { configFolder } : {}),
  }
}
