import { createHash } from 'node:crypto'
import { z } from 'zod'

export const SessionId = z.uuid('must be a UUID').brand('SessionId')
export type SessionId = z.infer<typeof SessionId>

/** Such a text is an id and never a name: any UUID may be that of a conversation that the CLI has. */
export function isUuid(text: string): boolean {
  return z.guid().safeParse(text).success
}

/**
 * The id of the approval that a child's request opens. Made from the request, so that the same line read twice
 * (after a crash before its commit) names the same approval; made with the session, so that no child can name
 * another's.
 */
export function approvalIdOf(sessionId: string, requestId: string): string {
  return uuidFrom(`${sessionId}\n${requestId}`)
}

export function nodeIdOf(sessionId: string, turn: number): string {
  return uuidFrom(`${sessionId}\nturn ${turn}`)
}

/** Of what a tool is to be given, as JSON: two calls with the same one ask for the same. */
export function sha256Of(input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(input) ?? '')
    .digest('hex')
}

/** A UUID (version 8) that says nothing but is the same for the same text. */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
