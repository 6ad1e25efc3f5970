import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { runCommand } from '../../system/run-command.ts'
import { isAtLeast } from '../../text/version-order.ts'

/** The oldest version whose behaviour was measured; it is not known what an older version does unasked. */
export const MINIMUM_CLI = '2.1.197'

export interface FoundCli {
  path: string
  version: string
}

type Env = Readonly<Record<string, string | undefined>>

const INSTALL_HINT =
  'install Claude Code (npm install -g @anthropic-ai/claude-code) or set CLAUDE_CODE_PATH to its full path'

/** The variable with the path of the CLI that `npm start` provides, for users without a recent CLI of their own. */
const SPARE_CLI = 'PLEXUS_SPARE_CLI'

const USER_FOLDERS = ['.local/bin', '.claude/local', '.npm-global/bin', '.volta/bin', '.bun/bin', 'bin']
const SYSTEM_FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin']

/**
 * The user's own CLI. If CLAUDE_CODE_PATH is set, only that path is tried. Otherwise the first CLI that is new enough wins,
 * from PATH, the default folders and the login shell's PATH, so that an old copy does not hide a newer CLI.
 */
export async function findCli(
  env: Env,
  {
    timeoutMs = 10_000,
    systemFolders = SYSTEM_FOLDERS,
  }: { timeoutMs?: number; systemFolders?: string[] } = {},
): Promise<FoundCli> {
  if (env['CLAUDE_CODE_PATH']) return checkCli(resolve(env['CLAUDE_CODE_PATH']), env, timeoutMs)
  const errors: AppError[] = []
  for await (const path of candidates(env, systemFolders, timeoutMs)) {
    try {
      return await checkCli(path, env, timeoutMs)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      errors.push(error)
    }
  }
  // An old CLI was installed on purpose; a broken stub may be a leftover, so its error is less useful.
  const mostUseful = errors.find(({ data }) => data?.['isOld'] === true) ?? errors[0]
  throw (
    mostUseful ?? new AppError('cli_missing', `Claude Code was not found on this machine: ${INSTALL_HINT}.`)
  )
}

async function* candidates(env: Env, system: string[], timeoutMs: number): AsyncGenerator<string> {
  const home = env['HOME']
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute),
    ...(home ? USER_FOLDERS.map((folder) => join(home, folder)) : []),
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
    env: { ...minimalEnv(env), SHELL: shell },
    timeoutMs,
  })
  if (found.outcome !== 'exited') return undefined
  // Profiles print greetings, so the answer is the last line; an alias is not a path.
  const path = found.stdout.trim().split('\n').at(-1) ?? ''
  return isAbsolute(path) && isExecutableFile(path) ? path : undefined
}

/** Starting the CLI takes a tenth of a second, so a file that has not changed is not run again. */
const knownVersions = new Map<string, string>()

async function checkCli(path: string, env: Env, timeoutMs: number): Promise<FoundCli> {
  const file = fileAt(path)
  if (file === undefined) throw cliMissing(`${path} does not exist; ${INSTALL_HINT}.`)
  if (!file.isFile() || !isExecutable(path))
    throw cliMissing(
      `${path} is not a program that can be run; set CLAUDE_CODE_PATH to the claude program itself.`,
    )
  const key = `${path}\0${file.mtimeMs}\0${file.size}\0${file.ino}`
  const version = knownVersions.get(key) ?? (await versionOf(path, env, timeoutMs))
  knownVersions.set(key, version)
  if (!isAtLeast(version, MINIMUM_CLI))
    throw new AppError(
      'cli_missing',
      `${path} is Claude Code ${version}, but ${MINIMUM_CLI} or later is needed; run "claude update".`,
      { data: { isOld: true } },
    )
  return { path, version }
}

async function versionOf(path: string, env: Env, timeoutMs: number): Promise<string> {
  const minimal = minimalEnv(env)
  // A claude installed by npm is a script for the node in the same folder.
  const PATH = [dirname(path), minimal['PATH']].filter(Boolean).join(delimiter)
  const answer = await runCommand(path, ['--version'], {
    env: { ...minimal, PATH, DISABLE_AUTOUPDATER: '1' },
    timeoutMs,
  })
  if (answer.outcome === 'not started')
    throw cliMissing(
      `${path} cannot be run (${answer.reason}); set CLAUDE_CODE_PATH to the claude program itself.`,
    )
  if (answer.outcome === 'timed out')
    throw cliMissing(`${path} did not answer --version within ${timeoutMs / 1000} s; try it in a terminal.`)
  const version = /^(\d+\.\d+\.\d+)\S* \(Claude Code\)$/.exec(answer.stdout.trim())?.[1]
  if (version === undefined || answer.code !== 0) {
    const said = (answer.stderr || answer.stdout).trim().split('\n')[0]?.slice(0, 200)
    throw cliMissing(
      `${path} does not answer --version as Claude Code does${said ? ` but says ${JSON.stringify(said)}` : ''}; repair it or set CLAUDE_CODE_PATH to another.`,
    )
  }
  return version
}

function minimalEnv(env: Env): Record<string, string> {
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

function cliMissing(sentence: string): AppError {
  return new AppError('cli_missing', sentence)
}
