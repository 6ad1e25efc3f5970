import { sha256Of } from '../base/ids.ts'
import { redact } from '../base/log.ts'

/** In characters; longer texts are cut, and their hash is kept. */
const MAX_TEXT = 16_384
const MAX_DEPTH = 24
const MAX_ITEMS = 1_000

/**
 * The part of a value that the record keeps. The rule: what looks like a secret is replaced as in the log (`redact`), a long text
 * is cut, and what is nested or listed beyond all use is replaced by its hash. The hashes in the record are of the whole value.
 */
export function kept(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return keptText(value)
  if (value === null || typeof value !== 'object') return value
  if (depth >= MAX_DEPTH) return { sha256: sha256Of(value) }
  if (Array.isArray(value)) return value.length > MAX_ITEMS ? cutList(value, depth) : keptList(value, depth)
  const fields = Object.entries(value)
  const few = fields.slice(0, MAX_ITEMS).map(([name, field]) => [redacted(name), kept(field, depth + 1)])
  const rest = fields.length > MAX_ITEMS ? { '…': { sha256: sha256Of(value) } } : {}
  return { ...Object.fromEntries(few), ...rest }
}

/** Cut first, so that the time that this takes has a limit; a secret at the cut is half a secret, and gone with the rest. */
export function keptText(text: string): string {
  if (text.length <= MAX_TEXT) return redacted(text)
  return `${redacted(text.slice(0, MAX_TEXT))}… (${text.length} characters, sha256 ${sha256Of(text)})`
}

/** Every text that `redact` would change matches this; most texts do not, and an answer waits for each. */
const MAY_HOLD_SECRET =
  /sk-|gh[pousr]_|github_pat_|glpat-|xox|npm_|AKIA|eyJ|bearer|basic|token|key|secret|password|authorization|[\w-]{43}/i

function redacted(text: string): string {
  return MAY_HOLD_SECRET.test(text) ? redact(text) : text
}

function keptList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((item) => kept(item, depth + 1))
}

function cutList(list: readonly unknown[], depth: number): unknown[] {
  return [...keptList(list.slice(0, MAX_ITEMS), depth), { sha256: sha256Of(list) }]
}
