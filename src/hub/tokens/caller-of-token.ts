import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../callers/access-rules.ts'
import { callerIdOf, type CallerRecord, type CallerStore } from '../../callers/caller.ts'
import { type CallerClaim, callerFromClaim } from '../../callers/caller-claim.ts'
import { isClientName } from '../../callers/client-name.ts'
import { type ClientScopes, scopesOf } from '../../callers/scopes.ts'
import { hashOfToken } from '../../callers/token-hash.ts'
import { isActive, usedNow } from '../../devices/device.ts'
import { clientNames, clientTokenPath } from './client-tokens.ts'
import { enrolOperator } from './enrol-operator.ts'
import { operatorTokenPath } from './operator-token.ts'
import { TokenFiles } from './token-files.ts'

/**
 * Returns the function that finds the caller of a token. For the operator and clients the token file decides: if it is gone,
 * or contains another token by now, the old token is invalid at once, and the new token is valid at once. A program that can
 * put a token file there could also read the operator's token. A revoked token is on record, and stays revoked. A child's
 * token, and that of a device, is in no such file; the store alone decides.
 */
export function tokenVerifier(
  callers: CallerStore,
  home: string,
  scopes: () => ClientScopes = () => ({}),
): (token: string, claim: CallerClaim) => Promise<Caller | undefined> {
  const files = new TokenFiles()
  const isCurrent = async (caller: CallerRecord) => {
    if (caller.kind === 'session') return true
    if (caller.kind === 'device') return noteUse(callers, caller)
    const path = pathOf(home, caller)
    return path !== undefined && (await files.hashIn(path)) === caller.tokenHash
  }
  return async (token, claim) => {
    const hash = hashOfToken(token)
    const known = await callers.byTokenHash(hash)
    if (!known) await enrolTokenFile(callers, files, home, token)
    const caller = known ?? (await callers.byTokenHash(hash))
    return caller && (await isCurrent(caller)) ? callerOfToken(callers, hash, claim, scopes) : undefined
  }
}

/** Whether the token of a device is still valid; if so, this is a use of it. */
async function noteUse(callers: CallerStore, device: CallerRecord): Promise<boolean> {
  const now = Date.now()
  if (!isActive(device, now)) return false
  const used = usedNow(device, now)
  if (used) await callers.put(used)
  return true
}

/** Undefined if the name is not valid for a client. */
function pathOf(home: string, { kind, name }: CallerRecord): string | undefined {
  if (kind === 'operator') return operatorTokenPath(home)
  return isClientName(name) ? clientTokenPath(home, name) : undefined
}

/** Stores the caller of a new token file. A new token of a name replaces the token before it. */
async function enrolTokenFile(
  callers: CallerStore,
  files: TokenFiles,
  home: string,
  token: string,
): Promise<void> {
  const tokenHash = hashOfToken(token)
  if ((await files.hashIn(operatorTokenPath(home))) === tokenHash) return enrolOperator(callers, token)
  for (const name of clientNames(home)) {
    if ((await files.hashIn(clientTokenPath(home, name))) !== tokenHash) continue
    await callers.put({
      id: callerIdOf('client', name),
      kind: 'client',
      name,
      tokenHash,
      scopes: [],
      createdAt: Date.now(),
    })
    return
  }
}

/** The caller of the token with this hash. An unknown token and a revoked token have no caller. */
async function callerOfToken(
  callers: CallerStore,
  hash: string,
  claim: CallerClaim,
  clientScopes: () => ClientScopes,
): Promise<Caller | undefined> {
  const caller = await callers.byTokenHash(hash)
  if (!caller || caller.revokedAt !== undefined) return undefined
  if (!timingSafeEqual(Buffer.from(hash), Buffer.from(caller.tokenHash))) return undefined
  return callerFromClaim({ ...caller, scopes: scopesOf(caller, clientScopes) }, claim)
}
