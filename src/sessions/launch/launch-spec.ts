import { join } from 'node:path'
import { PERMISSION_MODES } from '../../base/permission-modes.ts'
import { type Birth, childArgs } from '../../child/launch/child-args.ts'
import { childEnvironment, fixedVariables } from '../../child/launch/child-environment.ts'
import { childSettings } from '../../child/launch/child-settings.ts'
import { deniedServers } from '../../child/launch/denied-servers.ts'
import type { FoundCli } from '../../child/launch/find-cli.ts'
import { mcpConfig, ownToolName } from '../../child/launch/mcp-servers.ts'
import type { StartOptions } from '../../child/launch/start-options.ts'
import { initialize } from '../../child/lines/stdin-messages.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'
import type { Run, Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import type { ConversationStart } from './conversation-start.ts'
import { workingDirectoryOf } from './session-folders.ts'
import type { HubEnvironment } from './hub-environment.ts'

/** The URL and token of a child that asks by calls. */
export interface Permit {
  readonly url: string
  readonly token: string
}

export interface LaunchNeeds {
  readonly session: Session
  readonly state: SessionState
  readonly run: Run
  readonly start: ConversationStart
  readonly permit: Permit | undefined
  readonly cli: FoundCli
  /** Whether the settings of its folders are loaded. */
  readonly trusted: boolean
}

/** Pure. */
export function launchSpec(needs: LaunchNeeds, environment: HubEnvironment): ChildSpec {
  const { session, state, run, start, permit, cli, trusted } = needs
  const { config } = session
  const needsFile = config.mcpServers !== undefined || permit !== undefined
  const files = needsFile ? { [MCP_CONFIG]: JSON.stringify(mcpConfig(config.mcpServers, permit)) } : {}
  const fixed = fixedVariables({ trusted, cliVersion: cli.version })
  const birth: Birth = {
    ...start,
    sessionId: session.cliSessionId,
    settings: childSettings(environment.home, {
      deniedMcpServers: deniedServers(environment.permitUrl?.(), permit !== undefined),
      env: fixed,
      supervise: config.supervise,
    }),
    trusted,
    ...(needsFile ? { mcpConfigPath: mcpConfigPath(run) } : {}),
    ownTools: environment.nestedTools?.map(({ name }) => ownToolName(name)),
  }
  const { leaseSeconds } = environment
  return {
    sessionId: session.id,
    runPath: run.folder,
    cli: cli.path,
    args: childArgs(optionsNow(config, state), birth),
    env: childEnvironment(environment.env, { sessionId: session.id, env: config.env, fixed }),
    workingDirectory: workingDirectoryOf(session, state),
    leaseSeconds,
    messages: [initialize(leaseSeconds, { appendSystemPrompt: config.systemPrompt, agents: config.agents })],
    files,
  }
}

/** The private file with which the child reaches its MCP servers; it is removed when the run ends. */
export function mcpConfigPath({ folder }: Run): string {
  return join(folder, MCP_CONFIG)
}

/** The next process also gets a mode or model that was changed meanwhile. */
export function optionsNow(
  config: StartOptions,
  { chosenModel, permissionMode }: SessionState,
): StartOptions {
  const mode =
    config.permissionMode === 'cli' ? undefined : PERMISSION_MODES.find((known) => known === permissionMode)
  return {
    ...config,
    ...(chosenModel ? { model: chosenModel } : {}),
    ...(mode ? { permissionMode: mode } : {}),
  }
}

const MCP_CONFIG = 'mcp.json'
