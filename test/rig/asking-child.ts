/** A child that asks by calls, without a process: its token in the hands of a test. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Call } from './loopback.ts'

export interface AskingChild {
  readonly sessionId: string
  /** The text of the answer, when it is there. */
  readonly permit: (asked: { tool_name: string; input: object; tool_use_id: string }) => Promise<Permit>
}

export interface Permit {
  readonly isError: boolean
  readonly text: string
}

interface Configured {
  readonly session_id: string
  readonly mcp_config: { mcpServers: { plexus: { url: string; headers: Record<string, string> } } }
}

export async function askingChild(call: Call, options: object = {}): Promise<AskingChild> {
  const { session_id, mcp_config } = await call<Configured>('loopback.configure', options)
  const { url, headers } = mcp_config.mcpServers.plexus
  const client = new Client({ name: 'child', version: '0' })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return {
    sessionId: session_id,
    permit: async (asked) => {
      const told = await client.callTool({ name: 'loopback_permit', arguments: asked }, { timeout: 60_000 })
      const [first] = told.content
      return { isError: told.isError === true, text: first?.type === 'text' ? first.text : '' }
    },
  }
}
