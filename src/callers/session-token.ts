import { createHash, randomBytes } from 'node:crypto'
import type { CallerStore } from './caller.ts'

/**
 * A token with which a child may ask for itself, and, with the scope `nested`, have sessions below it. A session has one at
 * a time: a new one takes the place of the last.
 */
export async function issueSessionToken(
  callers: CallerStore,
  sessionId: string,
  scopes: readonly string[] = [],
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await callers.put({
    id: callerIdOf(sessionId),
    kind: 'session',
    name: sessionId,
    tokenHash,
    scopes,
    createdAt: Date.now(),
  })
  return token
}

/** From now on it is nobody's. */
export async function revokeSessionToken(callers: CallerStore, sessionId: string): Promise<void> {
  const caller = await callers.byName('session', sessionId)
  if (caller && caller.revokedAt === undefined) await callers.put({ ...caller, revokedAt: Date.now() })
}

function callerIdOf(sessionId: string): string {
  return `session ${sessionId}`
}
