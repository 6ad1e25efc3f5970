import { isAbsolute, join, resolve } from 'node:path'
import { MAX_TIMER_MS } from '../base/limits.ts'
import { AppError } from '../base/errors.ts'
import { LOG_LEVELS } from '../base/log.ts'

export type Env = Readonly<Record<string, string | undefined>>

const DEFAULT_PORT = 4445

/** One value that a user may set by a text. By hand: `plexus mcp` reads these before anything large is loaded. */
interface Setting<T> {
  readonly read: (text: string) => T
  readonly byDefault: T
}

/** What the environment sets; flags of the command line come before it. An empty variable is an unset one. */
export const VARIABLES = {
  CLAUDE_CODE_PATH: text(),
  PERMISSION_TIMEOUT_MS: whole('PERMISSION_TIMEOUT_MS', 0, MAX_TIMER_MS, 300_000),
  MAX_SESSIONS: whole('MAX_SESSIONS', 1, 1_000, 10),
  LOG_LEVEL: oneOf(LOG_LEVELS, `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`, 'info'),
  EVENT_BUFFER_SIZE: whole('EVENT_BUFFER_SIZE', 1, 100_000, 500),
  PLEXUS_HOME: text(),
  PLEXUS_PORT: port('PLEXUS_PORT', DEFAULT_PORT),
  PLEXUS_CARRIER: oneOf(['control', 'mcp'], 'PLEXUS_CARRIER must be control or mcp.', 'control'),
} as const

/** The flags of `plexus serve`. */
export const FLAGS = {
  home: text('--home needs a folder.'),
  port: port('--port', undefined),
  'exit-when-idle': whole('--exit-when-idle', 1, 86_400, undefined),
  'end-children': { read: (given: string) => given === 'true', byDefault: false },
} as const

export interface Config {
  readonly home: string
  readonly port: number
  readonly permissionTimeoutMs: number
  readonly maxSessions: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Recent events kept in memory for each session with a process, so that following it costs no queries. */
  readonly eventBufferSize: number
  /** How a child asks whose start options do not say. */
  readonly carrier: 'control' | 'mcp'
  readonly exitWhenIdleSeconds: number | undefined
  /** Whether the children end with the hub; else the next hub goes on with them. */
  readonly endChildren: boolean
  /** All of it: the child inherits most, and the CLI is looked for with it. */
  readonly env: Env
}

export function configFrom(env: Env, flags: Readonly<Record<string, unknown>> = {}): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { PLEXUS_HOME, PLEXUS_PORT, PLEXUS_CARRIER, ...own } = VARIABLES
  // What makes no sense is an error, also where a flag comes before it.
  const usualPort = valueOf(PLEXUS_PORT, set['PLEXUS_PORT'])
  return {
    home: resolve(
      valueOf(FLAGS.home, flags['home']) ?? valueOf(PLEXUS_HOME, set['PLEXUS_HOME']) ?? defaultHome(set),
    ),
    port: valueOf(FLAGS.port, flags['port']) ?? usualPort,
    permissionTimeoutMs: valueOf(own.PERMISSION_TIMEOUT_MS, set['PERMISSION_TIMEOUT_MS']),
    maxSessions: valueOf(own.MAX_SESSIONS, set['MAX_SESSIONS']),
    logLevel: valueOf(own.LOG_LEVEL, set['LOG_LEVEL']),
    eventBufferSize: valueOf(own.EVENT_BUFFER_SIZE, set['EVENT_BUFFER_SIZE']),
    carrier: valueOf(PLEXUS_CARRIER, set['PLEXUS_CARRIER']),
    exitWhenIdleSeconds: valueOf(FLAGS['exit-when-idle'], flags['exit-when-idle']),
    endChildren: valueOf(FLAGS['end-children'], flags['end-children']),
    env: set,
  }
}

/** What a hub runs with and a client that finds it cannot change, by the variables that set it. */
export function fixedBy({ env, maxSessions, eventBufferSize, carrier }: Config): Record<string, string> {
  return {
    CLAUDE_CODE_PATH: env['CLAUDE_CODE_PATH'] ?? '',
    MAX_SESSIONS: String(maxSessions),
    EVENT_BUFFER_SIZE: String(eventBufferSize),
    PLEXUS_CARRIER: carrier,
  }
}

export function defaultHome(env: Env, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME, HOME } = env
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'plexus')
  if (!HOME)
    throw new AppError('invalid_input', 'Neither HOME nor PLEXUS_HOME is set; say with --home where to live.')
  return platform === 'darwin'
    ? join(HOME, 'Library/Application Support/plexus')
    : join(HOME, '.local/state/plexus')
}

function valueOf<T>({ read, byDefault }: Setting<T>, given: unknown): T {
  return typeof given === 'string' || typeof given === 'boolean' ? read(`${given}`) : byDefault
}

function text(sentence = ''): Setting<string | undefined> {
  const read = (given: string) => {
    if (given === '') throw new AppError('invalid_input', sentence)
    return given
  }
  return { read, byDefault: undefined }
}

function oneOf<T extends string>(allowed: readonly T[], sentence: string, byDefault: T): Setting<T> {
  const read = (given: string) => {
    const known = allowed.find((one) => one === given)
    if (known === undefined) throw new AppError('invalid_input', sentence)
    return known
  }
  return { read, byDefault }
}

function whole<T extends number | undefined>(
  name: string,
  least: number,
  most: number,
  byDefault: T,
): Setting<number | T> {
  const read = (given: string) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= least && value <= most) return value
    throw new AppError('invalid_input', `${name} must be a whole number from ${least} to ${most}.`)
  }
  return { read, byDefault }
}

function port<T extends number | undefined>(name: string, byDefault: T): Setting<number | T> {
  return whole(name, 0, 65_535, byDefault)
}
