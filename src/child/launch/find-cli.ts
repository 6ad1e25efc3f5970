import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { runCommand } from '../../system/run-command.ts'
import { isAtLeast } from '../../text/version-order.ts'

/** The oldest version whose behaviour was measured; what an older one does unasked, nobody has looked at. */
export const MINIMUM_CLI = '2.1.197'

export interface FoundCli {
  path: string
  version: string
}

type Env = Readonly<Record<string, string | undefined>>

const HOW_TO_GET_ONE =
  'install Claude Code (npm install -g @anthropic-ai/claude-code) or set CLAUDE_CODE_PATH to its full path'

/** Where `npm start` has one, for who has none of their own that is new enough. */
const SPARE_CLI = 'PLEXUS_SPARE_CLI'

const OWN_FOLDERS = ['.local/bin', '.claude/local', '.npm-global/bin', '.volta/bin', '.bun/bin', 'bin']
const SYSTEM_FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin']

/**
 * The user's own CLI. A path that was set is the only one tried; else the first in PATH, the usual places or
 * the login shell's PATH that is good enough, so that an old copy does not hide a newer one.
 */
export async function findCli(
  env: Env,
  {
    timeoutMs = 10_000,
    systemFolders = SYSTEM_FOLDERS,
  }: { timeoutMs?: number; systemFolders?: string[] } = {},
): Promise<FoundCli> {
  if (env['CLAUDE_CODE_PATH']) return checked(resolve(env['CLAUDE_CODE_PATH']), env, timeoutMs)
  const complaints: AppError[] = []
  for await (const path of candidates(env, systemFolders, timeoutMs)) {
    try {
      return await checked(path, env, timeoutMs)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      complaints.push(error)
    }
  }
  // Somebody has the old one on purpose; a stub that is broken may be nobody's.
  const complaint = complaints.find(({ data }) => data?.['isOld'] === true) ?? complaints[0]
  throw (
    complaint ?? new AppError('cli_missing', `Claude Code was not found on this machine: ${HOW_TO_GET_ONE}.`)
  )
}

async function* candidates(env: Env, system: string[], timeoutMs: number): AsyncGenerator<string> {
  const home = env['HOME']
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute),
    ...(home ? OWN_FOLDERS.map((folder) => join(home, folder)) : []),
    ...system,
  ]
  const spare = env[SPARE_CLI]
  const seen = new Set<string>()
  for (const folder of folders) {
    const path = join(folder, 'claude')
    if (!seen.has(path) && isExecutableFile(path)) yield path
    seen.add(path)
  }
  if (spare !== undefined && isExecutableFile(spare)) yield spare
  // Last, because it runs the user's profile: a program started from a desktop or by a service has a short PATH.
  const path = await fromLoginShell(env, timeoutMs)
  if (path !== undefined && !seen.has(path)) yield path
}

async function fromLoginShell(env: Env, timeoutMs: number): Promise<string | undefined> {
  const shell = env['SHELL']
  if (shell === undefined || !isAbsolute(shell)) return undefined
  const found = await runCommand(shell, ['-lc', 'command -v claude'], {
    env: { ...smallEnv(env), SHELL: shell },
    timeoutMs,
  })
  if (found.outcome !== 'exited') return undefined
  // Profiles print greetings; the answer is the last line, and an alias is not a path.
  const path = found.stdout.trim().split('\n').at(-1) ?? ''
  return isAbsolute(path) && isExecutableFile(path) ? path : undefined
}

/** Starting the CLI takes a tenth of a second, so a file that has not changed is not asked again. */
const known = new Map<string, string>()

async function checked(path: string, env: Env, timeoutMs: number): Promise<FoundCli> {
  const file = fileAt(path)
  if (file === undefined) throw missing(`${path} does not exist; ${HOW_TO_GET_ONE}.`)
  if (!file.isFile() || !isExecutable(path))
    throw missing(
      `${path} is not a program that can be run; set CLAUDE_CODE_PATH to the claude program itself.`,
    )
  const key = `${path}\0${file.mtimeMs}\0${file.size}\0${file.ino}`
  const version = known.get(key) ?? (await versionOf(path, env, timeoutMs))
  known.set(key, version)
  if (!isAtLeast(version, MINIMUM_CLI))
    throw new AppError(
      'cli_missing',
      `${path} is Claude Code ${version}, but ${MINIMUM_CLI} or later is needed; run "claude update".`,
      { data: { isOld: true } },
    )
  return { path, version }
}

async function versionOf(path: string, env: Env, timeoutMs: number): Promise<string> {
  const small = smallEnv(env)
  // A claude installed by npm is a script for the node that lies beside it.
  const PATH = [dirname(path), small['PATH']].filter(Boolean).join(delimiter)
  const answer = await runCommand(path, ['--version'], {
    env: { ...small, PATH, DISABLE_AUTOUPDATER: '1' },
    timeoutMs,
  })
  if (answer.outcome === 'not started')
    throw missing(
      `${path} cannot be run (${answer.reason}); set CLAUDE_CODE_PATH to the claude program itself.`,
    )
  if (answer.outcome === 'timed out')
    throw missing(`${path} did not answer --version within ${timeoutMs / 1000} s; try it in a terminal.`)
  const version = /^(\d+\.\d+\.\d+)\S* \(Claude Code\)$/.exec(answer.stdout.trim())?.[1]
  if (version === undefined || answer.code !== 0) {
    const said = (answer.stderr || answer.stdout).trim().split('\n')[0]?.slice(0, 200)
    throw missing(
      `${path} does not answer --version as Claude Code does${said ? ` but says ${JSON.stringify(said)}` : ''}; repair it or set CLAUDE_CODE_PATH to another.`,
    )
  }
  return version
}

function smallEnv(env: Env): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

function isExecutableFile(path: string): boolean {
  return fileAt(path)?.isFile() === true && isExecutable(path)
}

function fileAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function missing(sentence: string): AppError {
  return new AppError('cli_missing', sentence)
}
