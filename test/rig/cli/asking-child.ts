/** As much of a claude that somebody else has started as asks: through the relay, in the hands of a test. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import type { Call } from '../clients/loopback.ts'

export interface AskingChild {
  readonly sessionId: string
  /** The text of the answer, when it is there. */
  readonly permit: (asked: { tool_name: string; input: object; tool_use_id: string }) => Promise<Permit>
  /** Takes back what it asks now. */
  readonly cancel: () => void
  readonly tools: () => Promise<string[]>
  /** Goes away. */
  readonly end: () => Promise<void>
}

interface Permit {
  readonly isError: boolean
  readonly text: string
}

interface Server {
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string>
}

interface Configured {
  readonly session_id: string
  readonly mcp_config: { mcpServers: { plexus: Server } }
}

export async function askingChild(call: Call, options: object = {}): Promise<AskingChild> {
  const { session_id, mcp_config } = await call<Configured>('loopback.configure', options)
  const client = new Client({ name: 'child', version: '0' })
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport(mcp_config.mcpServers.plexus))
  let asking = new AbortController()
  return {
    sessionId: session_id,
    cancel: () => asking.abort(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    end: () => client.close(),
    permit: async (asked) => {
      asking = new AbortController()
      const how = { timeout: 60_000, signal: asking.signal }
      const result = await client.callTool({ name: 'loopback_permit', arguments: asked }, how)
      const [first] = result.content
      return { isError: result.isError === true, text: first?.type === 'text' ? first.text : '' }
    },
  }
}
