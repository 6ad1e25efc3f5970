import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallerStore } from '../callers/caller.ts'
import type { Claim } from '../callers/claim.ts'
import type { Identity } from '../callers/permission.ts'
import { readPrivately } from './private-text.ts'
import { type ClientScopes, hashOf, identityOfToken, tokenIn } from './tokens.ts'

const FILE = /^([A-Za-z0-9][\w.-]{0,63})\.token$/

/** The token of a named client, kept in the home folder so that it finds its sessions again; made at first use. */
export async function clientToken(home: string, name: string): Promise<string> {
  const folder = join(home, 'clients')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return tokenIn(join(folder, `${name}.token`))
}

/**
 * Who has a token, clients of the home folder included: a token that nobody knows yet is looked for there. Whoever can put
 * one there could as well take the operator's. One that was revoked is known, and stays revoked.
 */
export function identityOfClient(
  callers: CallerStore,
  home: string,
  scopes: ClientScopes = {},
): (token: string, claim: Claim) => Promise<Identity | undefined> {
  return async (token, claim) => {
    const known = await identityOfToken(callers, token, claim, scopes)
    if (known || (await callers.byTokenHash(hashOf(token)))) return known
    await enrol(callers, home, token)
    return identityOfToken(callers, token, claim, scopes)
  }
}

/** A new token of a name takes the place of the one before it. */
async function enrol(callers: CallerStore, home: string, token: string): Promise<void> {
  const folder = join(home, 'clients')
  const tokenHash = hashOf(token)
  for (const file of await readdir(folder).catch(() => [])) {
    const name = FILE.exec(file)?.[1]
    if (name === undefined) continue
    const text = await readPrivately(join(folder, file)).catch(() => '')
    if (hashOf(text.trim()) !== tokenHash) continue
    await callers.put({
      id: `client ${name}`,
      kind: 'client',
      name,
      tokenHash,
      scopes: [],
      createdAt: Date.now(),
    })
    return
  }
}
