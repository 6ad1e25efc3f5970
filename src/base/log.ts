import { inspect } from 'node:util'
import { AppError } from './errors.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

type Fields = Readonly<Record<string, unknown>>
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: Fields) => void>

/** Writes one JSON object per line to stderr, because stdout belongs to the protocol. Secrets are redacted. */
export function createLog(level: LogLevel, write: (line: string) => void = toStderr): Log {
  const writeAt = (lineLevel: keyof Log) => (message: string, fields?: Fields) => {
    if (LOG_LEVELS.indexOf(lineLevel) < LOG_LEVELS.indexOf(level)) return
    const line = { time: new Date().toISOString(), level: lineLevel, message, ...fields }
    write(`${escapeControls(redact(JSON.stringify(line, toJsonValue)))}\n`)
  }
  return { debug: writeAt('debug'), info: writeAt('info'), warn: writeAt('warn'), error: writeAt('error') }
}

/** `JSON.stringify` drops errors. An `AppError` needs no stack; any other error is a bug and is logged with its stack. */
function toJsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Error)) return value
  if (!(value instanceof AppError)) return inspect(value)
  return { code: value.code, message: value.message, ...(value.cause ? { cause: value.cause } : {}) }
}

/** Escapes the characters that JSON allows but that would hide or reverse the text when a person reads the line. */
function escapeControls(json: string): string {
  return json.replace(new RegExp(CONTROLS, 'gu'), (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** No literal: Node would read the tables of Unicode for every command that can log. */
const CONTROLS = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`

const SECRETS: readonly [RegExp, string][] = [
  [/\bsk-[A-Za-z0-9]{2,}-[\w-]{8,}/g, 'sk-…'],
  [/\b(gh[pousr]_|github_pat_|glpat-|xox[a-z]-|npm_|AKIA)[\w-]{10,}/g, '$1…'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, 'eyJ…'],
  [/\b(Bearer|Basic)(\s+)[\w.~+/=-]{6,}/gi, '$1$2…'],
  [/([?&#](?:access_|auth_|id_|refresh_)?(?:token|key|secret|password)=)[^&\s"'\\]+/gi, '$1…'],
  [
    /((?:api[_-]?key|auth[_-]?token|access[_-]?token|secret|password|authorization)\\?["']?\s*[:=]\s*\\?["']?)(?!Bearer\b|Basic\b|…)[^\s"'\\,;}&]{4,}/gi,
    '$1…',
  ],
  // Tokens of Plexus: 256 bits in base64url.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '…'],
]

/** Replaces everything that looks like a secret. A false positive is better than a leak. */
export function redact(text: string): string {
  return SECRETS.reduce((redacted, [secret, replacement]) => redacted.replace(secret, replacement), text)
}

/** Drops the line when nobody reads our stderr, so that unread lines do not fill the memory. */
export function toStderr(line: string): void {
  if (process.stderr.writableLength < MAX_BUFFERED_BYTES) process.stderr.write(line)
}

const MAX_BUFFERED_BYTES = 1 << 20
