import { readFile } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { DEFAULT_LIMITS, type QuestionLimits } from '../approvals/question-limits.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import { LOG_LEVELS } from '../base/log.ts'
import { parseInput } from '../base/parse-input.ts'

export type Env = Readonly<Record<string, string | undefined>>

export const DEFAULT_PORT = 4445
const OURS = ['127.0.0.1', 'localhost', '[::1]']
const TRUSTED = 'trusted must be a list of full paths.'
const KEEP = 'keep_days must be a whole number of days, or 0 for ever.'
const SCOPES = 'scopes must be lists of transcripts and bypass, by the name of a client.'
const RECEIVER = 'on_question must be a command, an https URL, or an http URL of 127.0.0.1.'

/** What the environment says; flags of the command line come before it. An empty variable is an unset one. */
export const Variables = z.object({
  CLAUDE_CODE_PATH: z.string().optional(),
  PERMISSION_TIMEOUT_MS: whole('PERMISSION_TIMEOUT_MS', 0, 2 ** 31 - 1).default(300_000),
  MAX_SESSIONS: whole('MAX_SESSIONS', 1, 1_000).default(10),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.` })
    .default('info'),
  EVENT_BUFFER_SIZE: whole('EVENT_BUFFER_SIZE', 1, 100_000).default(500),
  PLEXUS_HOME: z.string().optional(),
  PLEXUS_PORT: port('PLEXUS_PORT').default(DEFAULT_PORT),
  PLEXUS_CARRIER: z
    .enum(['control', 'mcp'], { error: 'PLEXUS_CARRIER must be control or mcp.' })
    .default('control'),
})

export const Flags = z.object({
  home: z.string().min(1, '--home needs a folder.').optional(),
  port: port('--port').optional(),
  'exit-when-idle': whole('--exit-when-idle', 1, 86_400).optional(),
  'end-children': z.boolean().default(false),
})

/** `HOME/config.json`. Strict, so that a misspelt name is not a wish that nobody hears. */
export const ConfigFile = z.strictObject(
  {
    /** A command of the shell, or a URL: it is given each new question as JSON. */
    on_question: z.string().min(1).refine(isReceiver, RECEIVER).optional(),
    /** Folders whose project settings are loaded, with all below them. */
    trusted: z
      .array(z.string(), { error: TRUSTED })
      .refine((folders) => folders.every((folder) => isAbsolute(folder)), TRUSTED)
      .default([]),
    /** How long settled questions and ended sessions are kept; 0 is for ever. */
    keep_days: z.int(KEEP).min(0, KEEP).max(36_500, KEEP).default(30),
    /** What clients may beyond their own sessions, by the name of the client. */
    scopes: z
      .record(z.string(), z.array(z.enum(['transcripts', 'bypass'], SCOPES), SCOPES), SCOPES)
      .default({}),
    /** How many questions may be open at once; one more waits in line. */
    questions_per_session: limit('questions_per_session', 1_000_000).default(DEFAULT_LIMITS.perSession),
    questions_per_owner: limit('questions_per_owner', 1_000_000).default(DEFAULT_LIMITS.perOwner),
    questions_in_all: limit('questions_in_all', 1_000_000).default(DEFAULT_LIMITS.inAll),
    /** How large they may be together, in MiB; one more is denied. */
    question_mib_per_owner: limit('question_mib_per_owner', 4_096).default(
      DEFAULT_LIMITS.bytesPerOwner >> 20,
    ),
    question_mib_in_all: limit('question_mib_in_all', 4_096).default(DEFAULT_LIMITS.bytesInAll >> 20),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no setting ${issue.keys.join(', ')}; see docs/CONFIGURATION.md for those that there are.`
        : 'it must be an object.',
  },
)
export type ConfigFile = z.infer<typeof ConfigFile>

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
  const variables = parseInput(Variables, set)
  const wishes = parseInput(Flags, flags)
  return {
    home: resolve(wishes.home ?? variables.PLEXUS_HOME ?? defaultHome(set)),
    port: wishes.port ?? variables.PLEXUS_PORT,
    permissionTimeoutMs: variables.PERMISSION_TIMEOUT_MS,
    maxSessions: variables.MAX_SESSIONS,
    logLevel: variables.LOG_LEVEL,
    eventBufferSize: variables.EVENT_BUFFER_SIZE,
    carrier: variables.PLEXUS_CARRIER,
    exitWhenIdleSeconds: wishes['exit-when-idle'],
    endChildren: wishes['end-children'],
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

/** What a person has set for this home folder; nothing when there is no such file. */
export async function readConfigFile(home: string): Promise<ConfigFile> {
  const path = join(home, 'config.json')
  try {
    return parseInput(ConfigFile, JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return ConfigFile.parse({})
    const reason =
      error instanceof AppError
        ? error.message
        : error instanceof SyntaxError
          ? 'it is not JSON.'
          : 'it cannot be read.'
    throw new AppError('invalid_input', `${path}: ${reason}`, { cause: error })
  }
}

/** A question says what a child is about to do, so it leaves the machine encrypted or not at all. */
function isReceiver(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && OURS.includes(hostname))
}

function limit(name: string, most: number) {
  const sentence = `${name} must be a whole number from 1 to ${most}.`
  return z.int(sentence).min(1, sentence).max(most, sentence)
}

/** By which setting each limit can be raised. */
export const SETTING_OF: Record<keyof QuestionLimits, keyof ConfigFile> = {
  perSession: 'questions_per_session',
  perOwner: 'questions_per_owner',
  inAll: 'questions_in_all',
  bytesPerOwner: 'question_mib_per_owner',
  bytesInAll: 'question_mib_in_all',
}

export function mostOpenFrom(wishes: ConfigFile): QuestionLimits {
  return {
    perSession: wishes.questions_per_session,
    perOwner: wishes.questions_per_owner,
    inAll: wishes.questions_in_all,
    bytesPerOwner: wishes.question_mib_per_owner * MIB,
    bytesInAll: wishes.question_mib_in_all * MIB,
  }
}

const MIB = 1 << 20

function whole(name: string, least: number, most: number) {
  const sentence = `${name} must be a whole number from ${least} to ${most}.`
  return z
    .string()
    .regex(/^\d+$/, sentence)
    .transform(Number)
    .refine((value) => value >= least && value <= most, sentence)
}

function port(name: string) {
  return whole(name, 0, 65_535)
}
