import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import type { CallerStore } from '../callers/caller.ts'
import { type Claim, claimed } from '../callers/claim.ts'
import type { Identity } from '../callers/permission.ts'
import { isErrno } from '../errno.ts'
import { AppError } from '../errors.ts'
import { createPrivately, readPrivately } from './private-text.ts'

export function operatorTokenPath(home: string): string {
  return join(home, 'operator.token')
}

/** The operator's token; made at the first start. */
export async function operatorToken(home: string): Promise<string> {
  const path = operatorTokenPath(home)
  await createPrivately(path, `${randomBytes(32).toString('base64url')}\n`).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error
  })
  const token = (
    await readPrivately(path).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause
      throw unusable(path, cause)
    })
  ).trim()
  if (!/^[\w-]{43}$/.test(token)) throw unusable(path)
  return token
}

function unusable(path: string, cause?: unknown): AppError {
  return new AppError(
    'forbidden',
    `${path} is a link or does not hold a token; remove it, and a new one is made at the next start.`,
    { cause },
  )
}

/** Makes the token the operator's, in place of any before it. */
export async function enrolOperator(callers: CallerStore, token: string): Promise<void> {
  const tokenHash = hashOf(token)
  const known = await callers.byTokenHash(tokenHash)
  if (known?.kind === 'operator' && known.revokedAt === undefined) return
  const scopes = ['bypass', 'transcripts']
  await callers.put({
    id: 'operator',
    kind: 'operator',
    name: 'operator',
    tokenHash,
    scopes,
    createdAt: Date.now(),
  })
}

/** Who has this token. One that is unknown and one that was revoked are the same: nobody's. */
export async function identityOfToken(
  callers: CallerStore,
  token: string,
  claim: Claim,
): Promise<Identity | undefined> {
  const hash = hashOf(token)
  const caller = await callers.byTokenHash(hash)
  if (!caller || caller.revokedAt !== undefined) return undefined
  if (!timingSafeEqual(Buffer.from(hash), Buffer.from(caller.tokenHash))) return undefined
  return claimed(caller, claim)
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
