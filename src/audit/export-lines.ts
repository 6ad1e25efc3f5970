import { z } from 'zod'
import { canonicalJson } from '../text/canonical-json.ts'
import { visibleJson, withEscapes } from '../text/visible-json.ts'
import type { RecordItem } from './verify-record.ts'

/**
 * The record as JSON lines: a row, or a signed checkpoint after the row that it ends with. The body of a row is an object here;
 * its canonical text, which the hash is of, is the same again.
 */
export function exportLine(item: RecordItem): string {
  if ('checkpoint' in item) return visibleJson({ checkpoint: item.checkpoint })
  const { body, number, at, kind, previous, hash } = item.row
  const fields = JSON.stringify({ number, time: new Date(at).toISOString(), kind, previous, hash })
  return `${fields.slice(0, -1)},"body":${withEscapes(body)}}`
}

const Line = z.union([
  z.strictObject({ checkpoint: z.string() }),
  z.strictObject({
    number: z.int().min(1),
    time: z.iso.datetime(),
    kind: z.string().regex(/^[a-z-]+$/),
    previous: z.string(),
    hash: z.string(),
    // Not a record of zod: that one drops the key `__proto__`, and then the hash does not fit.
    body: z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  }),
])

/** Undefined if the line is none of ours. */
export function itemOfLine(line: string): RecordItem | undefined {
  try {
    const read = Line.parse(JSON.parse(line))
    if ('checkpoint' in read) return read
    const { time, body, ...row } = read
    return { row: { ...row, at: Date.parse(time), body: canonicalJson(body) } }
  } catch {
    return undefined // also for a body that is nested too deeply to be ours
  }
}
