import type { Toolset } from '../api/operations.ts'
import type { Ask } from '../base/ask-setting.ts'

/** How `plexus mcp` was started: its flags, checked. */
export interface McpOptions {
  readonly toolset: Toolset
  readonly standalone: boolean
  readonly allowBypass: boolean
  /** Standalone: what was started ends with it. */
  readonly endChildren: boolean
  /** The client that it acts for; without one, the operator. */
  readonly as: string | undefined
  /** Whom the questions of sessions are put to, unless a session says so itself. */
  readonly ask: Ask | undefined
  readonly home: string | undefined
}
