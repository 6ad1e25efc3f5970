import { SESSION_MARK } from '../system/session-mark.ts'
import type { Env } from './config.ts'
import { AppError } from '../base/errors.ts'

/**
 * What a session starts, its MCP servers too, finds the operator's token in the home folder. With it the session could start
 * others past every limit and answer for them, so it is not used there; and a hub that began there would end with the session.
 */
export function requireOutside(env: Env): void {
  const sessionId = env[SESSION_MARK]
  if (!sessionId) return
  throw new AppError(
    'forbidden',
    `This runs inside session ${sessionId}, which does not act for the operator; create a session as nested, and it has tools of its own to start others.`,
  )
}
