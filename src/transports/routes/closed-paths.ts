import type { Caller } from '../../callers/access-rules.ts'
import { asksOnly } from '../../callers/scopes.ts'
import type { Arrival } from '../http/listener.ts'

/** What clients of ours call has no promise for anybody else. */
export function isOnSocketOnly({ pathname }: URL, { port }: Arrival): boolean {
  return pathname === '/operation' && port !== undefined
}

/**
 * A child's token is for its own questions and, if nested, for the sessions below it; the metrics cover all sessions. The
 * token of a device is for the page, which a person looks at; where models call, it is refused.
 */
export function closedPathReason(caller: Caller, { pathname, searchParams }: URL): string | undefined {
  if (caller.kind === 'device') return PAGE_PATHS.includes(pathname) ? undefined : NOT_FOR_DEVICES
  if (pathname === '/metrics') return caller.kind === 'session' ? NOT_FOR_CHILDREN : undefined
  // The feed of all sessions is for those who watch them; a nested session follows each that it started.
  const isFeed = pathname === '/events' && caller.kind === 'session' && !searchParams.has('session')
  return isFeed || (pathname === '/events' && asksOnly(caller)) ? NOT_FOR_CHILDREN : undefined
}

/** What the page calls. */
const PAGE_PATHS: readonly string[] = ['/rpc', '/events']
const NOT_FOR_DEVICES = 'The token of a device is for the page only.'
const NOT_FOR_CHILDREN = 'The token of a child session is not valid for this path.'
