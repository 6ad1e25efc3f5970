import { join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { cliRecordPath, configFolder } from '../../child/launch/trust.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A machine as a client sees it: where it keeps its settings. */
export interface Place {
  readonly env: Env
  readonly platform: NodeJS.Platform
}

/** The words of the command by which a client starts us. */
export type Words = readonly [program: string, ...args: string[]]

/** An MCP client that we can be added to, with its own format. */
export interface Client {
  readonly name: string
  readonly title: string
  readonly format: 'json' | 'toml'
  /** Where it keeps its servers. The first that exists is used, or the last. */
  readonly files: (place: Place) => readonly string[]
  /** A client that has run on this machine has this folder. */
  readonly folder: (place: Place) => string
  /** The table of servers in that file. */
  readonly servers: string
  readonly entry: (words: Words) => Readonly<Record<string, unknown>>
  readonly restart: string
}

/** A wait takes nearly a minute, which is longer than some clients give a call. */
const CALL_SECONDS = 60

const plain = ([command, ...args]: Words) => ({ command, args })

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    files: ({ env }) => [cliRecordPath(env) ?? missingHome()],
    folder: ({ env }) => configFolder(env) ?? missingHome(),
    servers: 'mcpServers',
    entry: (words) => ({ type: 'stdio', ...plain(words) }),
    restart: 'Sessions of Claude Code that you start from now on have it; /mcp shows it.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    files: (place) => [join(appFolder(place), 'Claude/claude_desktop_config.json')],
    folder: (place) => join(appFolder(place), 'Claude'),
    servers: 'mcpServers',
    entry: plain,
    restart: 'Quit Claude Desktop and start it again.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    files: ({ env }) => [join(homeOf(env), '.cursor/mcp.json')],
    folder: ({ env }) => join(homeOf(env), '.cursor'),
    servers: 'mcpServers',
    entry: plain,
    restart: 'Restart Cursor; Settings, MCP shows it.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    files: (place) => [join(appFolder(place), 'Code/User/mcp.json')],
    folder: (place) => join(appFolder(place), 'Code'),
    servers: 'servers',
    entry: (words) => ({ type: 'stdio', ...plain(words) }),
    restart: 'Run "MCP: List Servers" in VS Code and start plexus there.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    files: (place) => [join(codexFolder(place), 'config.toml')],
    folder: codexFolder,
    servers: 'mcp_servers',
    entry: (words) => ({ ...plain(words), tool_timeout_sec: CALL_SECONDS }),
    restart: 'Start Codex again.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    files: (place) => [join(geminiFolder(place), 'settings.json')],
    folder: geminiFolder,
    servers: 'mcpServers',
    entry: (words) => ({ ...plain(words), timeout: CALL_SECONDS * 1000 }),
    restart: 'Start Gemini CLI again.',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    format: 'json',
    files: (place) => ['opencode.jsonc', 'opencode.json'].map((name) => join(opencodeFolder(place), name)),
    folder: opencodeFolder,
    servers: 'mcp',
    entry: (words) => ({ type: 'local', command: words, timeout: CALL_SECONDS * 1000 }),
    restart: 'Start OpenCode again.',
  },
]

export const CLIENT_NAMES: readonly string[] = CLIENTS.map(({ name }) => name)

export function clientNamed(name: string): Client {
  const client = CLIENTS.find((one) => one.name === name)
  if (client) return client
  throw new AppError('invalid_input', `There is no client ${name}; choose one of ${CLIENT_NAMES.join(', ')}.`)
}

/** Where desktop programs keep their settings. */
function appFolder({ env, platform }: Place): string {
  return platform === 'darwin'
    ? join(homeOf(env), 'Library/Application Support')
    : env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config')
}

function codexFolder({ env }: Place): string {
  return env['CODEX_HOME'] || join(homeOf(env), '.codex')
}

function geminiFolder({ env }: Place): string {
  return join(env['GEMINI_CLI_HOME'] || homeOf(env), '.gemini')
}

/** The same on every system. */
function opencodeFolder({ env }: Place): string {
  return join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'opencode')
}

function homeOf({ HOME }: Env): string {
  return HOME || missingHome()
}

function missingHome(): never {
  throw new AppError('invalid_input', 'HOME is not set, so the settings of clients cannot be found; set it.')
}
