import { randomBytes } from 'node:crypto'
import type { SessionKey } from '../base/ids.ts'
import { callerIdOf, type CallerStore } from './caller.ts'
import { hashOfToken } from './token-hash.ts'

/**
 * Issues a token with which a child may ask for itself and, with the scope `nested`, start sessions below it. A session has
 * one token at a time: a new token replaces the previous one.
 */
export async function issueSessionToken(
  callers: CallerStore,
  sessionId: SessionKey,
  scopes: readonly string[] = [],
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashOfToken(token)
  await callers.put({
    id: callerIdOf('session', sessionId),
    kind: 'session',
    name: sessionId,
    tokenHash,
    scopes,
    createdAt: Date.now(),
  })
  return token
}

/** The token identifies no caller from now on. */
export async function revokeSessionToken(callers: CallerStore, sessionId: SessionKey): Promise<void> {
  const caller = await callers.byName('session', sessionId)
  if (caller && caller.revokedAt === undefined) await callers.put({ ...caller, revokedAt: Date.now() })
}
