/** All clients, in the order of the table. */
import type { Client } from './client.ts'
import { acp } from './hosts/acp.ts'
import { agentSdk } from './hosts/agent-sdk.ts'
import { claudeCode } from './hosts/claude-code.ts'
import { codex } from './hosts/codex.ts'
import { continueCli } from './hosts/continue.ts'
import { copilot } from './hosts/copilot.ts'
import { geminiCli, qwenCode } from './hosts/gemini.ts'
import { mcpRemote } from './hosts/mcp-remote.ts'
import { oneCall } from './hosts/one-call.ts'
import { opencode } from './hosts/opencode.ts'
import { libraries } from './libraries/library.ts'
import { mcpSdks } from './libraries/mcp-sdk.ts'
import { openaiAgents } from './libraries/openai-agents.ts'

export const CLIENTS: readonly Client[] = [
  ...claudeCode,
  ...agentSdk,
  ...acp,
  codex,
  copilot,
  geminiCli,
  opencode,
  qwenCode,
  continueCli,
  ...oneCall,
  mcpRemote,
  ...libraries,
  openaiAgents,
  ...mcpSdks,
]
