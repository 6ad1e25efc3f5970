import { isAbsolute, join, resolve } from 'node:path'
import { MAX_TIMER_MS } from '../base/limits.ts'
import { AppError } from '../base/errors.ts'
import { LOG_LEVELS } from '../base/log.ts'

export type Env = Readonly<Record<string, string | undefined>>

const DEFAULT_PORT = 4445

/** A setting that is given as text. Parsed by hand, because `plexus mcp` reads settings before anything large is loaded. */
interface Setting<T> {
  readonly read: (text: string) => T
  readonly byDefault: T
}

/** The environment variables; command-line flags win over them. An empty variable counts as unset. */
export const VARIABLES = {
  CLAUDE_CODE_PATH: text(),
  PERMISSION_TIMEOUT_MS: whole('PERMISSION_TIMEOUT_MS', 0, MAX_TIMER_MS, 300_000),
  MAX_SESSIONS: whole('MAX_SESSIONS', 1, 1_000, 10),
  LOG_LEVEL: oneOf(LOG_LEVELS, `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`, 'info'),
  EVENT_BUFFER_SIZE: whole('EVENT_BUFFER_SIZE', 1, 100_000, 500),
  PLEXUS_HOME: text(),
  PLEXUS_PORT: port('PLEXUS_PORT', DEFAULT_PORT),
  PLEXUS_PUSH_TO_LOOPBACK: oneOf(['0', '1'], 'PLEXUS_PUSH_TO_LOOPBACK must be 0 or 1.', '0'),
  PLEXUS_CARRIER: oneOf(['control', 'mcp'], 'PLEXUS_CARRIER must be control or mcp.', 'control'),
} as const

/** The flags of `plexus serve`. */
export const FLAGS = {
  home: text('--home needs a folder.'),
  port: port('--port', undefined),
  'exit-when-idle': whole('--exit-when-idle', 1, 86_400, undefined),
  'behind-proxy': hostName('--behind-proxy'),
  'end-children': { read: (given: string) => given === 'true', byDefault: false },
} as const

export interface Config {
  readonly home: string
  readonly port: number
  readonly permissionTimeoutMs: number
  readonly maxSessions: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** How many recent events of each session with a process are kept in memory, so that followers need no queries. */
  readonly eventBufferSize: number
  /** The default carrier, for start options without one. */
  readonly carrier: 'control' | 'mcp'
  /** For tests: a push service may be on 127.0.0.1. */
  readonly pushesToLoopback: boolean
  readonly exitWhenIdleSeconds: number | undefined
  /** The host name of a private HTTPS proxy in front of the hub, through which devices are let in. */
  readonly proxyHost: string | undefined
  /** True if the children end with the hub; otherwise the next hub adopts them. */
  readonly endChildren: boolean
  /** The whole environment: children inherit most of it, and it is used to find the CLI. */
  readonly env: Env
}

export function configFrom(env: Env, flags: Readonly<Record<string, unknown>> = {}): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { PLEXUS_HOME, PLEXUS_PORT, PLEXUS_CARRIER, PLEXUS_PUSH_TO_LOOPBACK, ...own } = VARIABLES
  // An invalid variable is an error, also if a flag overrides it.
  const variablePort = valueOf(PLEXUS_PORT, set['PLEXUS_PORT'])
  return {
    home: resolve(
      valueOf(FLAGS.home, flags['home']) ?? valueOf(PLEXUS_HOME, set['PLEXUS_HOME']) ?? defaultHome(set),
    ),
    port: valueOf(FLAGS.port, flags['port']) ?? variablePort,
    permissionTimeoutMs: valueOf(own.PERMISSION_TIMEOUT_MS, set['PERMISSION_TIMEOUT_MS']),
    maxSessions: valueOf(own.MAX_SESSIONS, set['MAX_SESSIONS']),
    logLevel: valueOf(own.LOG_LEVEL, set['LOG_LEVEL']),
    eventBufferSize: valueOf(own.EVENT_BUFFER_SIZE, set['EVENT_BUFFER_SIZE']),
    carrier: valueOf(PLEXUS_CARRIER, set['PLEXUS_CARRIER']),
    pushesToLoopback: valueOf(PLEXUS_PUSH_TO_LOOPBACK, set['PLEXUS_PUSH_TO_LOOPBACK']) === '1',
    exitWhenIdleSeconds: valueOf(FLAGS['exit-when-idle'], flags['exit-when-idle']),
    proxyHost: valueOf(FLAGS['behind-proxy'], flags['behind-proxy']),
    endChildren: valueOf(FLAGS['end-children'], flags['end-children']),
    env: set,
  }
}

/** The settings of a running hub that a client cannot change, by the variables that set them. */
export function hubVariables({ env, maxSessions, eventBufferSize, carrier }: Config): Record<string, string> {
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
    throw new AppError(
      'invalid_input',
      'Neither HOME nor PLEXUS_HOME is set; name the home folder with --home.',
    )
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

/** A host name, with a port if the proxy has one of its own. */
function hostName(name: string): Setting<string | undefined> {
  const read = (given: string) => {
    if (/^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(given)) return given.toLowerCase()
    throw new AppError(
      'invalid_input',
      `${name} needs the host name of the proxy, such as box.example.ts.net.`,
    )
  }
  return { read, byDefault: undefined }
}

function oneOf<T extends string>(allowed: readonly T[], sentence: string, byDefault: T): Setting<T> {
  const read = (given: string) => {
    const known = allowed.find((value) => value === given)
    if (known === undefined) throw new AppError('invalid_input', sentence)
    return known
  }
  return { read, byDefault }
}

function whole<T extends number | undefined>(
  name: string,
  min: number,
  max: number,
  byDefault: T,
): Setting<number | T> {
  const read = (given: string) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= min && value <= max) return value
    throw new AppError('invalid_input', `${name} must be a whole number from ${min} to ${max}.`)
  }
  return { read, byDefault }
}

function port<T extends number | undefined>(name: string, byDefault: T): Setting<number | T> {
  return whole(name, 0, 65_535, byDefault)
}
