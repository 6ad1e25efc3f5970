import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { PERMIT_TOOL } from './mcp-servers.ts'
import type { StartOptions } from './start-options.ts'

/** The conversation of a process: a new one, one that is resumed, or a copy. */
export type Identity =
  | { kind: 'new'; sessionId: string }
  /** With a transcript path, the CLI can also resume from another folder than that in which the session began. */
  | { kind: 'resume'; sessionId: string; transcript?: string | undefined }
  | {
      kind: 'fork'
      from: string
      sessionId: string
      transcript?: string | undefined
      at?: string | undefined
    }

/** How a run starts, and what the hub adds to the caller's options. */
export type Birth = Identity & {
  settings: object
  /** A private file with `mcpConfig(...)`: on a command line every user of the machine could read its tokens. */
  mcpConfigPath?: string | undefined
  /** Tools that need no answer, besides those of the caller: a nested child starts and answers sessions with them. */
  ownTools?: readonly string[] | undefined
  /** A person trusts the working directory and every added folder: the CLI loads agents and skills from those too. */
  trusted: boolean
}

const ALWAYS = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--replay-user-messages',
]

/** Linux refuses a longer argument with E2BIG, and a process that never began cannot report it. */
export const MAX_ARGUMENT_BYTES = 128 * 1024 - 1
/** All arguments share 1 MiB with the environment on macOS, 2 MiB on Linux. */
const MAX_COMMAND_LINE_BYTES = 512 * 1024

/**
 * The command line of a run. Every text of a caller is the right side of a `--flag=`. System prompt and agents are not here:
 * every user of the machine can read a command line, so the child gets them when it is initialized.
 */
export function childArgs(options: StartOptions, birth: Birth): string[] {
  const args = [
    ...ALWAYS,
    ...identityArgs(birth),
    ...supervision(options, birth),
    ...callerOptions(options, birth),
  ]
  if (args.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0) > MAX_COMMAND_LINE_BYTES)
    throw new AppError('invalid_input', 'The start options are too long together; keep them below 512 KiB.')
  return args
}

export function identityArgs(birth: Identity): string[] {
  const sessionId = uuid('sessionId', birth.sessionId)
  if (birth.kind === 'new') return [`--session-id=${sessionId}`]
  if (birth.kind === 'resume') return flag('resume', 'resume', transcript(birth.transcript) ?? sessionId)
  const from = uuid('from', birth.from)
  return [
    ...flag('fork', 'resume', transcript(birth.transcript) ?? from),
    '--fork-session',
    `--session-id=${sessionId}`,
    ...(birth.at === undefined ? [] : [`--resume-session-at=${uuid('at', birth.at)}`]),
  ]
}

/** Always passed: a user's `defaultMode` would otherwise switch supervision off. */
export function modeArgs({ permissionMode }: Pick<StartOptions, 'permissionMode'>): string[] {
  return permissionMode === 'cli' ? [] : flag('permissionMode', 'permission-mode', permissionMode)
}

export function settingSources(trusted: boolean): string {
  return `--setting-sources=${trusted ? 'user,project,local' : 'user'}`
}

function supervision(options: StartOptions, birth: Birth): string[] {
  const needsFile = options.carrier === 'mcp' || options.nested || options.mcpServers !== undefined
  if (needsFile && birth.mcpConfigPath === undefined)
    throw new AppError('internal', 'A run with MCP servers of its own needs its MCP config file.')
  return [
    ...modeArgs(options),
    ...(options.dangerouslySkipPermissions ? ['--dangerously-skip-permissions'] : []),
    settingSources(birth.trusted),
    `--permission-prompt-tool=${options.carrier === 'mcp' ? PERMIT_TOOL : 'stdio'}`,
    ...flag('settings', 'settings', JSON.stringify(birth.settings)),
    ...flag('mcpServers', 'mcp-config', birth.mcpConfigPath),
    ...flags('nested', 'allowedTools', options.nested ? birth.ownTools : []),
  ]
}

function callerOptions(options: StartOptions, birth: Birth): string[] {
  return [
    ...flag('name', 'name', options.name),
    ...folderArgs(options),
    ...modelArgs(options),
    ...flag('fallbackModel', 'fallback-model', options.fallbackModel),
    ...flag('effort', 'effort', options.effort),
    ...ruleArgs(options),
    ...flags('disallowedTools', 'disallowedTools', options.disallowedTools),
    // An empty list means no tools at all, which the CLI writes as an empty value.
    ...(options.tools?.length === 0 ? ['--tools='] : flags('tools', 'tools', options.tools)),
    ...flag('maxTurns', 'max-turns', options.maxTurns),
    ...flag('outputSchema', 'json-schema', options.outputSchema && JSON.stringify(options.outputSchema)),
    // A resumed session continues in its worktree; the flag would create another.
    ...(birth.kind === 'resume' ? [] : worktree(options.worktree)),
  ]
}

export function folderArgs({ addDirs }: Pick<StartOptions, 'addDirs'>): string[] {
  return flags('addDirs', 'add-dir', addDirs)
}

export function modelArgs({ model }: Pick<StartOptions, 'model'>): string[] {
  return flag('model', 'model', model)
}

export function ruleArgs({ allowedTools }: Pick<StartOptions, 'allowedTools'>): string[] {
  return flags('allowedTools', 'allowedTools', allowedTools)
}

function worktree(option: boolean | string | undefined): string[] {
  if (option === true) return ['--worktree']
  return typeof option === 'string' ? flag('worktree', 'worktree', option) : []
}

function flags(option: string, name: string, values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => flag(option, name, value))
}

function flag(option: string, name: string, value: string | number | undefined): string[] {
  if (value === undefined) return []
  const argument = `--${name}=${value}`
  if (Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES)
    throw new AppError('invalid_input', `${option} is too long for a command line; keep it below 128 KiB.`)
  return [argument]
}

const Guid = z.guid()

function uuid(field: string, id: string): string {
  if (!Guid.safeParse(id).success)
    throw new AppError('invalid_input', `${field} must be a UUID; take it from the session list.`)
  return id
}

function transcript(path: string | undefined): string | undefined {
  if (path === undefined || (isAbsolute(path) && path.endsWith('.jsonl') && !path.includes('\0'))) return path
  throw new AppError('invalid_input', 'transcript must be the absolute path of a .jsonl file.')
}
