import type { Toolset } from '../api/operations.ts'
import type { Ask } from '../base/ask-setting.ts'

/** The validated flags of `plexus mcp`. */
export interface McpOptions {
  readonly toolset: Toolset
  readonly standalone: boolean
  readonly allowBypass: boolean
  /** With `standalone`: the sessions end with this process. */
  readonly endChildren: boolean
  /** The name of the client that it acts for; undefined for the operator. */
  readonly as: string | undefined
  /** Whom questions are put to, unless a session has its own setting. */
  readonly ask: Ask | undefined
  readonly home: string | undefined
}
