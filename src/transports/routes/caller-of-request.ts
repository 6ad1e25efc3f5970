import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../callers/access-rules.ts'
import { type CallerClaim, claimFromHeaders } from '../../callers/caller-claim.ts'
import { isSameUser } from '../../system/peer-owner.ts'
import type { Arrival } from '../http/listener.ts'
import { bearerToken } from '../http/request-guards.ts'

/** Finds the caller of a token. */
export type Identify = (token: string, claim: CallerClaim) => Promise<Caller | undefined>

/** A client of MCP counts as a model, whatever its headers claim. */
export const A_MODEL: CallerClaim = { model: true }
const MCP_PATHS: readonly string[] = ['/mcp', '/mcp/child']

/** A child's token is accepted only from our own user: a child sends it to whatever program listens on our port. */
export async function callerOf(
  identify: Identify,
  { headers, socket }: IncomingMessage,
  { port }: Arrival,
  { pathname }: URL,
): Promise<Caller | undefined> {
  const token = bearerToken(headers.authorization)
  const claim = MCP_PATHS.includes(pathname) ? A_MODEL : claimFromHeaders(headers)
  const caller = token === undefined ? undefined : await identify(token, claim)
  if (caller?.kind !== 'session' || port === undefined || (await isSameUser(socket))) return caller
  return undefined
}
