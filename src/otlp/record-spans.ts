import { z } from 'zod'
import type { RecordRow } from '../audit/record-row.ts'
import { type AskedQuestion, approvalSpan } from './approval-span.ts'
import type { Span } from './span.ts'

const text = z.string().optional().catch(undefined)
const Body = z.object({
  session: text,
  approvalId: text,
  tool: text,
  toolUseId: text,
  shownSha256: text,
  status: text,
  by: text,
  rule: text,
  scope: text,
})

/** Open questions of a damaged or endless record must not fill the memory. */
const MAX_OPEN = 10_000

/** The questions of a record as spans, row by row. */
export class RecordSpans {
  readonly #open = new Map<string, AskedQuestion>()

  /** The spans that end with this row. */
  add({ kind, at, body }: RecordRow): Span[] {
    const read = Body.parse(JSON.parse(body))
    const { session: sessionId, approvalId, tool, toolUseId, shownSha256: shownHash, ...settled } = read
    if (approvalId === undefined || sessionId === undefined) return []
    if (kind === 'asked' && this.#open.size < MAX_OPEN)
      this.#open.set(approvalId, { at, tool, toolUseId, shownHash })
    if (kind !== 'settled') return []
    const asked = this.#open.get(approvalId) ?? { at, tool, toolUseId, shownHash }
    this.#open.delete(approvalId)
    const { status = '', by, rule, scope } = settled
    return [approvalSpan({ sessionId, approvalId, status, at, by, rule, scope }, asked)]
  }
}
