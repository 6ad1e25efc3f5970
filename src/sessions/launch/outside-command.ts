import { join } from 'node:path'
import { folderArgs, modeArgs, ruleArgs, settingSources } from '../../child/launch/child-args.ts'
import { ALWAYS_SET, fixedVariables } from '../../child/launch/child-environment.ts'
import { childSettings } from '../../child/launch/child-settings.ts'
import { deniedServers } from '../../child/launch/denied-servers.ts'
import type { FoundCli } from '../../child/launch/find-cli.ts'
import { PERMIT_TOOL, type Relay, relayConfig } from '../../child/launch/mcp-servers.ts'
import type { SessionKey } from '../../base/ids.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import type { Outside, Session } from '../record/session.ts'
import type { HubEnvironment } from './hub-environment.ts'
import type { Permit } from './launch-spec.ts'

/** What a `claude` command that is started outside Plexus needs so that it asks here. */
export interface PermitConfig {
  /** The content of a file for `--mcp-config`; it holds a token, so the file must be private. */
  readonly mcpConfig: { readonly mcpServers: Record<string, unknown> }
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The same with a file of the hub in which its token lies, and a hook that has each of its calls judged here. */
export interface JudgedCommand {
  /** The path of the CLI. */
  readonly cli: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** For a terminal: what `--settings` gets, once the program there has added the hook by which its dialogs ask here too. */
  readonly settings?: object | undefined
}

interface OutsideNeeds {
  readonly session: Session
  readonly permit: Permit
  readonly relay: Relay
}

/** Pure. */
export function outsideConfig(
  { session, permit, relay }: OutsideNeeds,
  { home }: Pick<HubEnvironment, 'home'>,
): PermitConfig {
  const { id, config } = session
  const deniedMcpServers = deniedServers(permit.url, true)
  return {
    mcpConfig: relayConfig(relay, { sessionId: id, token: permit.token, nested: config.nested === true }),
    args: [PROMPT_TOOL, settingsArg(childSettings(home, { deniedMcpServers, env: ALWAYS_SET }))],
    env: { ...ALWAYS_SET, [SESSION_MARK]: id },
  }
}

interface JudgedNeeds extends OutsideNeeds {
  readonly cli: FoundCli
  /** Whether the settings of its folders are loaded. */
  readonly trusted: boolean
  /** Where it runs. In a terminal it has dialogs of its own, and needs no tool to ask by. */
  readonly to: Outside['to']
}

/** Pure. `file` is the content of `outsideFile`. */
export function judgedCommand(
  { cli, trusted, to, ...needs }: JudgedNeeds,
  environment: Pick<HubEnvironment, 'home'>,
): JudgedCommand & { readonly file: string } {
  const { session, permit, relay } = needs
  const { id, config } = session
  const { home } = environment
  const path = outsideFile(home, id)
  const fixed = { ...fixedVariables({ trusted, cliVersion: cli.version }), ...KEEPS_HOOKS }
  const deniedMcpServers = deniedServers(permit.url, true)
  const settings = {
    ...childSettings(home, { deniedMcpServers, env: fixed }),
    // A setting of the user or of a trusted repository could otherwise switch our hook off.
    disableAllHooks: false,
    hooks: { PreToolUse: [{ hooks: [judgingHook(relay, path)] }] },
  }
  const file = JSON.stringify(outsideConfig(needs, environment).mcpConfig)
  const own = [settingSources(trusted), ...modeArgs(config), ...folderArgs(config), ...ruleArgs(config)]
  if (to === 'terminal') return { cli: cli.path, file, args: own, env: fixed, settings }
  return {
    cli: cli.path,
    file,
    args: [`--mcp-config=${path}`, PROMPT_TOOL, settingsArg(settings), ...own],
    // A claude that starts before it is connected to the relay ends at its first question.
    env: { ...fixed, [SESSION_MARK]: id, MCP_CONNECTION_NONBLOCKING: '0' },
  }
}

/** In the home folder, which the tools of no session may read. */
export function outsideFile(home: string, sessionId: SessionKey): string {
  return join(outsideFolder(home, sessionId), 'mcp.json')
}

export function outsideFolder(home: string, sessionId: SessionKey): string {
  return join(home, 'runs', `outside-${sessionId}`)
}

/** For the CLI only exit code 2 is a no: after any other failure of a hook it decides by its own rules. */
function judgingHook({ command, args }: Relay, path: string): object {
  const words = [command, ...args, '--judge', path]
  return {
    type: 'command',
    command: '/bin/sh',
    args: ['-c', '"$@" || exit 2', 'plexus', ...words],
    timeout: HOOK_SECONDS,
  }
}

function settingsArg(settings: object): string {
  return `--settings=${JSON.stringify(settings)}`
}

const PROMPT_TOOL = `--permission-prompt-tool=${PERMIT_TOOL}`
/** The safe mode has no hooks of settings. That of a child of ours is none of settings, and stays. */
const KEEPS_HOOKS = { CLAUDE_CODE_SAFE_MODE: '0' }
/** Longer than the relay tries, which refuses the call then. */
const HOOK_SECONDS = 120
