import { redact } from '../../../base/log.ts'
import { parseJson } from '../../../text/json-text.ts'
import { count, note, ok, type Outcome } from './finding.ts'

export interface LogFacts {
  readonly path: string
  /** The end of the log; empty if there is none. */
  readonly text: string
  readonly now: number
}

const DAY_MS = 86_400_000
const MAX_LENGTH = 300

export function judgeLog({ path, text, now }: LogFacts): Outcome[] {
  const errors = text
    .split('\n')
    .map(errorIn)
    .filter((error) => error !== undefined)
    .filter(({ time }) => now - time < DAY_MS)
  const last = errors.at(-1)
  if (last === undefined) return [ok(`${path} has no error of the last day.`)]
  return [note(`${path} has ${count(errors.length, 'error')} of the last day. The last: ${last.text}`)]
}

/** Nothing of a log is a secret as it is written, and it is made sure of once more. */
function errorIn(line: string): { time: number; text: string } | undefined {
  const found = parseJson(line)
  if (typeof found !== 'object' || found === null) return undefined
  const { level, time, message, error } = { ...found } as Readonly<Record<string, unknown>>
  if (level !== 'error' || typeof time !== 'string' || typeof message !== 'string') return undefined
  const text = redact([message, reasonIn(error)].join(' ').trim()).slice(0, MAX_LENGTH)
  return { time: Date.parse(time), text }
}

function reasonIn(error: unknown): string {
  if (typeof error === 'string') return error.split('\n')[0] ?? ''
  const { message } = { ...(typeof error === 'object' ? error : {}) } as { message?: unknown }
  return typeof message === 'string' ? message : ''
}
