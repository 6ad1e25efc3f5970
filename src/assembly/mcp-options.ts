import type { Toolset } from '../api/operations.ts'
import type { Ask } from '../base/ask-setting.ts'

/** The flags of `plexus mcp`, validated. */
export interface McpOptions {
  readonly toolset: Toolset
  readonly standalone: boolean
  readonly allowBypass: boolean
  /** With `standalone`: the sessions that it started end with it. */
  readonly endChildren: boolean
  /** The name of the client that it acts for; undefined for the operator. */
  readonly as: string | undefined
  /** Whom the questions of sessions are put to, unless a session says so itself. */
  readonly ask: Ask | undefined
  readonly home: string | undefined
}
