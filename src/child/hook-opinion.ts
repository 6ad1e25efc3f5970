import { isAtLeast } from './cli-version.ts'
import type { Supervision } from './start-options.ts'

export interface ToolCall {
  toolName: string
  input: unknown
}

export interface HookPolicy {
  supervise: Supervision
  /** Working directory and added folders, as real paths. */
  folders: readonly string[]
  /** The real path of the home folder. */
  plexusHome: string
  /** Of the CLI that runs the child. */
  cliVersion: string
  /** Such a call was allowed once and for all. */
  granted?: ((call: ToolCall) => boolean) | undefined
  /** That was taken back, but the child may still have a rule for it. */
  takenBack?: ((call: ToolCall) => boolean) | undefined
  /** Tools of our own server that change nothing. */
  ownReadOnly?: ReadonlySet<string> | undefined
}

/**
 * Tools that change nothing outside the session's own notes and send nothing away. A tool that is not here is
 * taken for one that writes: fetching from the web, starting agents, skills, language servers, MCP tools.
 */
const READ_ONLY: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'TodoRead',
  'TodoWrite',
  'ToolSearch',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'TaskOutput',
  'BashOutput',
  'AgentOutputTool',
  'CronList',
  'ListAgents',
  'ListMcpResourcesTool',
  'WaitForMcpServers',
  'StructuredOutput',
])

/** The oldest version that was seen to ask for it. */
const CHECKS_REDIRECTION = '2.1.325'

/** Tools that run a command or code of the model. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor', 'REPL'])

export function isReadOnly(toolName: string): boolean {
  return READ_ONLY.has(toolName)
}

/** What our hook says to a tool call: nothing, so that the CLI's own rules decide, or that it must be asked. */
export function hookOpinion(policy: HookPolicy, call: ToolCall): 'none' | 'ask' {
  if (isAlwaysAsked(policy, call)) return 'ask'
  if (policy.granted?.(call) === true) return 'none'
  if (policy.takenBack?.(call) === true) return 'ask'
  if (policy.supervise === 'asked') return 'none'
  const readOnly = isReadOnly(call.toolName) || policy.ownReadOnly?.has(call.toolName) === true
  return policy.supervise === 'writes' && readOnly ? 'none' : 'ask'
}

/** No grant covers these: they are how a child could read the operator's token or write an answer to itself. */
export function isAlwaysAsked(policy: HookPolicy, call: ToolCall): boolean {
  if (mentionsFile(call)) return true
  return RUNS_COMMANDS.has(call.toolName) && (reachesHome(policy) || readsUnasked(policy, call.input))
}

/** The CLI reads any file that stands behind an `@` in the arguments of a skill, past the deny rules and without a call. */
function mentionsFile({ toolName, input }: ToolCall): boolean {
  return toolName === 'Skill' && (JSON.stringify(input) ?? '').includes('@')
}

/** The deny rules for the home folder do not stop `grep -r` or a wildcard in a command. */
function reachesHome({ folders, plexusHome }: HookPolicy): boolean {
  return folders.some((folder) => isWithin(plexusHome, folder) || isWithin(folder, plexusHome))
}

/** An older CLI takes `cat < path` for harmless and reads any file with it, unasked and past the deny rules. */
function readsUnasked({ cliVersion }: HookPolicy, input: unknown): boolean {
  if (isAtLeast(cliVersion, CHECKS_REDIRECTION)) return false
  return (commandOf(input) ?? JSON.stringify(input) ?? '').includes('<')
}

/** The command without the model's description of it. Where there is none, the whole input is looked at. */
function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined
  return typeof input.command === 'string' ? input.command : undefined
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
