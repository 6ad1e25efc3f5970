/** All clients, in the order of the table. */
import type { Client } from './client.ts'
import { claudeCode } from './hosts/claude-code.ts'
import { libraries } from './libraries/library.ts'
import { mcpSdks } from './libraries/mcp-sdk.ts'

export const CLIENTS: readonly Client[] = [...claudeCode, ...mcpSdks, ...libraries]
