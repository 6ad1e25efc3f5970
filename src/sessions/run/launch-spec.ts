import { join } from 'node:path'
import { type Birth, childArgs } from '../../child/launch/child-args.ts'
import { childEnvironment, fixedVariables } from '../../child/launch/child-environment.ts'
import { childSettings } from '../../child/launch/child-settings.ts'
import { deniedServers } from '../../child/launch/denied-servers.ts'
import { initialize } from '../../child/lines/stdin-messages.ts'
import type { FoundCli } from '../../child/launch/find-cli.ts'
import { answeringRule } from '../../child/policy/answering-rule.ts'
import {
  type HookPolicy,
  hookOpinion,
  isAlwaysAsked,
  type ToolCall,
} from '../../child/policy/hook-opinion.ts'
import { settingsRules } from '../../child/policy/settings-rules.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import { mcpConfig, type OwnTool, ownToolName } from '../../child/launch/mcp-servers.ts'
import type { GivenBefore, LineContext } from '../../child/lines/request-to-events.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'
import type { StartOptions } from '../../child/launch/start-options.ts'
import { PERMISSION_MODES } from '../../base/permission-modes.ts'
import { AppError } from '../../base/errors.ts'
import { isTrusted, notLoaded, readTrustRecord } from '../../child/launch/trust.ts'
import type { Remembered } from './session-grants.ts'
import type { Run, Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'

/** What a child is started in: the same for all sessions of a hub. */
export interface Surroundings {
  /** The real path of the home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly leaseSeconds: number
  /** Folders that a person has trusted by our own command. */
  readonly trusted: readonly string[]
  readonly findCli: () => Promise<FoundCli>
  /** The file of a conversation that the CLI has, if it has one. */
  readonly transcriptOf: (cliSessionId: string) => Promise<string | undefined>
  /** What a nested child is offered there besides to ask. */
  readonly nestedTools?: readonly OwnTool[] | undefined
  /** Where a child with the mcp carrier asks, and a nested one has sessions below it; undefined where there is no port. */
  readonly permitUrl?: (() => string | undefined) | undefined
  /** Whether somebody answers there yet; always, unless it is said. */
  readonly isAnswering?: (() => boolean) | undefined
  /** The pid of a process that is not ours and has this conversation open. */
  readonly openElsewhere: (cliSessionId: string) => Promise<number | undefined>
  /** Told of each process before it is started. */
  readonly onStart?: ((spec: Pick<ChildSpec, 'sessionId' | 'runPath' | 'cli' | 'args'>) => void) | undefined
  /** What goes wrong behind everybody's back. */
  readonly onError: (error: unknown) => void
}

/** How a run begins its conversation. */
export type Beginning =
  | { kind: 'new' }
  | { kind: 'resume'; transcript: string }
  | { kind: 'fork'; from: string; at?: string | undefined; transcript?: string | undefined }

/** A conversation that the CLI has is resumed; a fork that has none yet is forked (again); else it is a new one. */
export async function beginningOf(session: Session, around: Surroundings): Promise<Beginning> {
  // Nobody knows it yet.
  if (session.origin.kind === 'new' && session.lastSeq === 0) return { kind: 'new' }
  const transcript = await around.transcriptOf(session.cliSessionId)
  if (transcript !== undefined) {
    await requireClosed(session.cliSessionId, around)
    return { kind: 'resume', transcript }
  }
  if (session.origin.kind !== 'fork') return { kind: 'new' }
  return { ...session.origin, transcript: await around.transcriptOf(session.origin.from) }
}

/** The CLI takes no lock: two processes in one conversation would write into the same file. */
async function requireClosed(cliSessionId: string, { openElsewhere }: Surroundings): Promise<void> {
  const pid = await openElsewhere(cliSessionId)
  if (pid === undefined) return
  throw new AppError(
    'in_use',
    `This conversation is open in another Claude Code process (pid ${pid}); end that one, or fork the session to go on in a copy.`,
  )
}

/** Whether the settings of the folders that the session works in now may be loaded. */
export function trustsFoldersOf(session: Session, state: SessionState, around: Surroundings): boolean {
  return trusts([workingDirectoryOf(session, state), ...(session.config.addDirs ?? [])], around)
}

function workingDirectoryOf(session: Session, state: SessionState): string {
  return state.workingDirectory ?? session.workingDirectory
}

/** Pure. */
export function specOf(
  { session, state, run, permit, cli, trusted, rules }: RunParts,
  beginning: Beginning,
  around: Surroundings,
): ChildSpec {
  const { config } = session
  const needsFile = config.mcpServers !== undefined || permit !== undefined
  const files = needsFile ? { [MCP_CONFIG]: JSON.stringify(mcpConfig(config.mcpServers, permit)) } : {}
  const fixed = fixedVariables({ trusted, cliVersion: cli.version })
  const birth: Birth = {
    ...beginning,
    sessionId: session.cliSessionId,
    settings: childSettings(around.home, {
      deniedMcpServers: deniedServers(around.permitUrl?.(), permit !== undefined),
      env: fixed,
      supervise: config.supervise,
    }),
    trusted,
    ...(needsFile ? { mcpConfigPath: mcpConfigPath(run) } : {}),
    ownTools: around.nestedTools?.map(({ name }) => ownToolName(name)),
  }
  return {
    sessionId: session.id,
    runPath: run.folder,
    cli: cli.path,
    args: childArgs(optionsNow(config, state, rules), birth),
    env: childEnvironment(around.env, { sessionId: session.id, env: config.env, fixed }),
    workingDirectory: workingDirectoryOf(session, state),
    leaseSeconds: around.leaseSeconds,
    messages: [
      initialize(around.leaseSeconds, { appendSystemPrompt: config.systemPrompt, agents: config.agents }),
    ],
    files,
  }
}

/** The private file with what the child reaches its MCP servers by; it ends with the run. */
export function mcpConfigPath({ folder }: Run): string {
  return join(folder, MCP_CONFIG)
}

/** What a child that asks by calls is given. */
export interface Permit {
  readonly url: string
  readonly token: string
}

interface RunParts {
  readonly session: Session
  readonly state: SessionState
  readonly run: Run
  readonly permit: Permit | undefined
  readonly cli: FoundCli
  readonly trusted: boolean
  /** What was remembered as rules of the CLI. */
  readonly rules: readonly string[]
}

/** What a line of a session's child means, and what may be remembered of it. */
export interface RunContext extends LineContext {
  /** Whether such a call can be allowed once and for all. */
  readonly grantable: (call: ToolCall) => boolean
  readonly granted: (call: ToolCall) => GivenBefore | undefined
}

/** Its hook has the session's policy. */
export function contextOf(
  session: Session,
  trusted: boolean,
  around: Surroundings,
  remembered: Remembered,
): RunContext {
  const { supervise, addDirs = [], allowedTools = [], nested, env } = session.config
  const { workingDirectory } = session
  const readOnly = around.nestedTools?.filter((tool) => nested && tool.readOnly) ?? []
  const place = {
    files: diskFiles,
    bounds: { folders: [workingDirectory, ...addDirs], except: [around.home] },
    cwd: workingDirectory,
    trusted,
  }
  const rules = () => {
    const { allow, ask } = settingsRules({ ...around.env, ...env }, trusted ? workingDirectory : undefined)
    const ours = [
      ...allowedTools.map((text) => ({ text, origin: 'allowedTools' })),
      ...remembered.rules.map((text) => ({ text, origin: 'what was remembered' })),
    ]
    return { allow: [...ours, ...allow], ask }
  }
  const policy: HookPolicy = {
    supervise,
    place,
    plexusHome: around.home,
    granted: (call) => remembered.grantOf(call) !== undefined,
    takenBack: (call) => remembered.isTakenBack(call),
    ruleFor: (call) => answeringRule(call, rules(), place),
    ownReadOnly: new Set(readOnly.map(({ name }) => ownToolName(name))),
  }
  const grantable = (call: ToolCall) => !isAlwaysAsked(policy, call)
  return {
    sessionId: session.id,
    opinion: (call) => hookOpinion(policy, call),
    grantable,
    granted: (call) => {
      // Looked up first: to know whether it may be remembered takes a look at the disk, and most sessions remember nothing.
      const grant = remembered.grantOf(call)
      return grant && grantable(call) ? grant : undefined
    },
  }
}

/** A mode or model that was changed on the way holds for the next process too, and so does what was remembered. */
function optionsNow(
  config: StartOptions,
  { chosenModel, permissionMode }: SessionState,
  rules: readonly string[],
): StartOptions {
  const mode =
    config.permissionMode === 'cli' ? undefined : PERMISSION_MODES.find((one) => one === permissionMode)
  const { allowedTools = [] } = config
  return {
    ...config,
    ...(chosenModel ? { model: chosenModel } : {}),
    ...(mode ? { permissionMode: mode } : {}),
    ...(rules.length > 0 ? { allowedTools: [...new Set([...allowedTools, ...rules])] } : {}),
  }
}

/** Project settings are loaded for all folders or for none, so all must be trusted. */
function trusts(folders: readonly string[], { env, trusted }: Surroundings): boolean {
  const record = readTrustRecord(env)
  return folders.every((folder) => isTrusted(folder, record, trusted))
}

/** What lies in these folders and is not loaded, if there is anything. */
export function leftOut(folders: readonly string[], around: Surroundings): string[] | undefined {
  const [first = ''] = folders
  const found = trusts(folders, around) ? [] : notLoaded(first, around.env)
  return found.length > 0 ? found : undefined
}

const MCP_CONFIG = 'mcp.json'
