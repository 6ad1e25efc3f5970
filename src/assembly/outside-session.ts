import { SESSION_MARK } from '../system/session-mark.ts'
import type { Env } from './config.ts'
import { AppError } from '../base/errors.ts'

/**
 * A program that a session starts, also an MCP server, can read the operator's token in the home folder. With it the session
 * could start others past every limit and answer for them, so Plexus does not use it there. And a hub started there would
 * end with the session.
 */
export function requireOutside(env: Env): void {
  const sessionId = env[SESSION_MARK]
  if (!sessionId) return
  throw new AppError(
    'forbidden',
    `This runs inside session ${sessionId}, which may not act for the operator; create a session as nested, then it has its own tools to start sessions.`,
  )
}
