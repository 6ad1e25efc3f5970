import type { Toolset } from '../../api/operations.ts'
import table from './tool-table.json' with { type: 'json' }

/** The answers of the server that are the same for all clients; made by `npm run tables` from its real answers. */
export interface McpTable {
  /** The versions of the 2025 era; a client that asks for another version is offered the first. */
  readonly versions: readonly string[]
  readonly initialize: {
    readonly serverInfo: object
    readonly capabilities: object
  }
  readonly tools: readonly {
    readonly name: string
    readonly annotations: { readonly readOnlyHint: boolean }
  }[]
  /** The tools that may wait for an event. */
  readonly waiting: readonly string[]
  readonly toolsets: Readonly<
    Record<Toolset, { readonly instructions: string; readonly tools: readonly string[] }>
  >
}

export const TABLE: McpTable = table

/** The properties of a tool that matter when the hub ends in the middle of a call. */
export function traitsOf(
  { tools, waiting }: McpTable,
  name: string,
): { isReadOnly: boolean; waits: boolean } {
  const isReadOnly = tools.find((tool) => tool.name === name)?.annotations.readOnlyHint === true
  return { isReadOnly, waits: waiting.includes(name) }
}
