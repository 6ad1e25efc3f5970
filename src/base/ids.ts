import { hash } from 'node:crypto'
import { z } from 'zod'

/** Each kind of id has a type of its own, so that the compiler refuses an id of one kind in place of another. */
export const SessionId = z.uuid('must be a UUID').brand('SessionId')
export type SessionId = z.infer<typeof SessionId>
export const ApprovalId = z.string().brand('ApprovalId')
export type ApprovalId = z.infer<typeof ApprovalId>
export const RunId = z.string().brand('RunId')
export type RunId = z.infer<typeof RunId>
/** Made by `callerIdOf`. */
export type CallerId = string & z.core.$brand<'CallerId'>
export const GrantId = z.string().brand('GrantId')
export type GrantId = z.infer<typeof GrantId>

/** What is looked up: an id of this kind or any text from outside, but no id of another kind. */
type Key<Kind extends string> = string & Partial<z.core.$brand<Kind>>
export type SessionKey = Key<'SessionId'>
export type ApprovalKey = Key<'ApprovalId'>
export type RunKey = Key<'RunId'>
export type CallerKey = Key<'CallerId'>
export type GrantKey = Key<'GrantId'>

/** A UUID is always an id and never a name: any UUID may belong to a conversation of the CLI. */
export function isUuid(text: string): boolean {
  return z.guid().safeParse(text).success
}

/**
 * The id of the approval that a child's request opens. It is derived from the request id, so that reading the same line
 * twice (after a crash before its commit) yields the same approval. It is also derived from the session id, so that no
 * child can name an approval of another session.
 */
export function approvalIdOf(sessionId: SessionKey, requestId: string): ApprovalId {
  return ApprovalId.parse(uuidFrom(`${sessionId}\n${requestId}`))
}

export function nodeIdOf(sessionId: SessionKey, turn: number): string {
  return uuidFrom(`${sessionId}\nturn ${turn}`)
}

/** Hash of a tool's input as JSON. Two calls of a tool with the same hash ask for the same thing. */
export function sha256Of(input: unknown): string {
  return hash('sha256', JSON.stringify(input) ?? '')
}

/** The same for an input that is never changed: each is hashed once, however many rows need it. */
export function inputHash(input: object): string {
  const known = hashes.get(input)
  if (known !== undefined) return known
  const made = sha256Of(input)
  hashes.set(input, made)
  return made
}

const hashes = new WeakMap<object, string>()

/** A UUID (version 8) derived from a hash of the text: the same text gives the same id. */
function uuidFrom(text: string): string {
  const hex = hash('sha256', text)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
