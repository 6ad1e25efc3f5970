import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { readOnChange } from '../system/files/file-stamp.ts'
import { LOOPBACK_NAMES } from '../system/loopback-names.ts'
import { FLOOD_LIMITS, type FloodLimits } from '../approvals/floods/flood.ts'
import { DEFAULT_LIMITS, type QuestionLimits } from '../approvals/question-limits.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { parseInput } from '../base/parse-input.ts'
import { SCOPES } from '../callers/scopes.ts'

const TRUSTED = 'trusted must be a list of full paths.'
const KEEP = 'keep_days must be a whole number of days, or 0 to keep everything.'
const INVALID_SCOPES = 'scopes must be lists of transcripts and bypass, by the name of a client.'
const RECEIVER = 'on_question must be a command, an https URL, or an http URL of 127.0.0.1.'
const CHECKPOINT = 'on_checkpoint must be a command, an https URL, or an http URL of 127.0.0.1.'
const KEEP_RECORD = 'keep_record_days must be a whole number of days, or 0 to keep the record for ever.'
const ANCHOR_FILE = 'anchor_file must be the full path of a file.'
const REPEAT = 'repeat_denied_seconds must be a whole number from 0 (never) to 3600.'
const FLOOD = 'flood must be off, or an object with per_turn (1 to 10000) and per_minute (1 to 1000).'
const OTLP = 'otlp_endpoint must be an https URL, or an http URL of 127.0.0.1.'

/** `HOME/config.json`. Strict, so that a misspelt setting is an error and is not ignored. */
export const ConfigFile = z.strictObject(
  {
    /** A shell command, or a URL: it gets each new question as JSON. */
    on_question: z.string().min(1).refine(isReceiver, RECEIVER).optional(),
    /** Folders whose project settings are loaded, with all below them. */
    trusted: z
      .array(z.string(), { error: TRUSTED })
      .refine((folders) => folders.every((folder) => isAbsolute(folder)), TRUSTED)
      .default([]),
    /** How long settled questions and ended sessions are kept; 0 means no limit. */
    keep_days: z.int(KEEP).min(0, KEEP).max(36_500, KEEP).default(30),
    /** How long rows of the record are kept; 0 means no limit. */
    keep_record_days: z.int(KEEP_RECORD).min(0, KEEP_RECORD).max(36_500, KEEP_RECORD).default(0),
    /** A file that every checkpoint of the record is appended to. */
    anchor_file: z.string(ANCHOR_FILE).refine(isAbsolute, ANCHOR_FILE).optional(),
    /** Whether every checkpoint of the record goes to syslog. */
    anchor_syslog: z.boolean('anchor_syslog must be true or false.').default(false),
    /** A shell command, or a URL: it gets each checkpoint of the record as JSON. */
    on_checkpoint: z.string().min(1).refine(isReceiver, CHECKPOINT).optional(),
    /** A collector of OpenTelemetry that gets a span for each turn, call and question. */
    otlp_endpoint: z
      .string(OTLP)
      .refine((text) => URL.canParse(text) && isReceiver(text), OTLP)
      .optional(),
    /** The rights of clients beyond their own sessions, by the name of the client. */
    scopes: z
      .record(z.string(), z.array(z.enum(SCOPES, INVALID_SCOPES), INVALID_SCOPES), INVALID_SCOPES)
      .default({}),
    /** For how long a call that was denied without a reason is denied again without asking; 0 is never. */
    repeat_denied_seconds: z.int(REPEAT).min(0, REPEAT).max(3_600, REPEAT).default(60),
    /** From how many questions of a session on a person is shown no more, but asked once for all of them. */
    flood: z
      .union(
        [
          z.literal('off'),
          z.strictObject({
            per_turn: z.int().min(1).max(10_000).default(FLOOD_LIMITS.perTurn),
            per_minute: z.int().min(1).max(1_000).default(FLOOD_LIMITS.perMinute),
          }),
        ],
        FLOOD,
      )
      .default({ per_turn: FLOOD_LIMITS.perTurn, per_minute: FLOOD_LIMITS.perMinute }),
    /** How many questions may be open at once; further questions are queued. */
    questions_per_session: limit('questions_per_session', 1_000_000).default(DEFAULT_LIMITS.perSession),
    questions_per_owner: limit('questions_per_owner', 1_000_000).default(DEFAULT_LIMITS.perOwner),
    questions_in_all: limit('questions_in_all', 1_000_000).default(DEFAULT_LIMITS.inAll),
    /** How large they may be together, in MiB; further questions are denied. */
    question_mib_per_owner: limit('question_mib_per_owner', 4_096).default(
      DEFAULT_LIMITS.bytesPerOwner >> 20,
    ),
    question_mib_in_all: limit('question_mib_in_all', 4_096).default(DEFAULT_LIMITS.bytesInAll >> 20),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no setting ${issue.keys.join(', ')}; docs/CONFIGURATION.md lists the settings.`
        : 'it must be an object.',
  },
)
export type ConfigFile = z.infer<typeof ConfigFile>

export function configFilePath(home: string): string {
  return join(home, 'config.json')
}

/** The settings of this home folder; the defaults if there is no such file. */
export function readConfigFile(home: string): ConfigFile {
  const path = configFilePath(home)
  try {
    return parseInput(ConfigFile, JSON.parse(readFileSync(path, 'utf8')))
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

/** What a person gives, and takes away, while a hub runs. */
export type Rights = Pick<ConfigFile, 'trusted' | 'scopes'>

/**
 * The rights in this file at each moment. A file that cannot be read gives none: a right that was taken away in it must not
 * last.
 */
export function currentRights(home: string, log: Log): () => Rights {
  return readOnChange(configFilePath(home), () => {
    try {
      return readConfigFile(home)
    } catch (error) {
      log.warn('config.json cannot be used, so it trusts no folder and gives no scopes.', { error })
      return { trusted: [], scopes: {} }
    }
  })
}

/** A question shows what a child is about to do, so it leaves the machine encrypted or not at all. */
function isReceiver(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAMES.includes(hostname))
}

function limit(name: string, max: number) {
  const sentence = `${name} must be a whole number from 1 to ${max}.`
  return z.int(sentence).min(1, sentence).max(max, sentence)
}

/** The setting that raises each limit. */
export const SETTING_OF: Record<keyof QuestionLimits, keyof ConfigFile> = {
  perSession: 'questions_per_session',
  perOwner: 'questions_per_owner',
  inAll: 'questions_in_all',
  bytesPerOwner: 'question_mib_per_owner',
  bytesInAll: 'question_mib_in_all',
}

export function questionLimitsFrom(settings: ConfigFile): QuestionLimits {
  return {
    perSession: settings.questions_per_session,
    perOwner: settings.questions_per_owner,
    inAll: settings.questions_in_all,
    bytesPerOwner: settings.question_mib_per_owner * MIB,
    bytesInAll: settings.question_mib_in_all * MIB,
  }
}

export function floodLimitsFrom({ flood }: ConfigFile): FloodLimits | 'off' {
  return flood === 'off' ? flood : { perTurn: flood.per_turn, perMinute: flood.per_minute }
}

const MIB = 1 << 20
