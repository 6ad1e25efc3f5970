import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio'
import { serveCalls } from './serve-calls.mjs'

await serveCalls(async ({ transport, url, headers, command, args, env }) => {
  const client = await createMCPClient({
    transport: transport === 'HTTP' ? { type: 'http', url, headers } : new Stdio({ command, args, env }),
  })
  const tools = await client.tools()
  return (tool, input) => tools[tool].execute(input, { toolCallId: 'one', messages: [] })
})
