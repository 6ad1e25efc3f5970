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
  /** The tools that may wait for something to happen. */
  readonly waiting: readonly string[]
  readonly toolsets: Readonly<
    Record<Toolset, { readonly instructions: string; readonly tools: readonly string[] }>
  >
}

export const TABLE: McpTable = table

/** What matters of a tool when it is called. */
export function traitsOf(
  { tools, waiting }: McpTable,
  name: string,
): { isReadOnly: boolean; waits: boolean } {
  const isReadOnly = tools.find((tool) => tool.name === name)?.annotations.readOnlyHint === true
  return { isReadOnly, waits: waiting.includes(name) }
}
