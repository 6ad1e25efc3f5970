import type { Toolset } from '../../api/operations.ts'
import table from './tool-table.json' with { type: 'json' }

/** What a server says of itself, whoever asks; made by `npm run tables` from what it does say. */
export interface McpTable {
  /** The versions of the 2025 era; one that asks for another is offered the first. */
  readonly versions: readonly string[]
  readonly initialize: {
    readonly serverInfo: object
    readonly capabilities: object
  }
  readonly tools: readonly {
    readonly name: string
    readonly annotations: { readonly readOnlyHint: boolean }
  }[]
  readonly toolsets: Readonly<
    Record<Toolset, { readonly instructions: string; readonly tools: readonly string[] }>
  >
}

export const TABLE: McpTable = table
