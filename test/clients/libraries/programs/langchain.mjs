import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { serveCalls } from './serve-calls.mjs'

await serveCalls(async ({ transport, url, headers, command, args, env }) => {
  const plexus =
    transport === 'HTTP' ? { transport: 'http', url, headers } : { transport: 'stdio', command, args, env }
  const tools = await new MultiServerMCPClient({ mcpServers: { plexus } }).getTools()
  return (tool, input) => tools.find(({ name }) => name.endsWith(tool)).invoke(input)
})
