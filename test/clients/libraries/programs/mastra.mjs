import { MCPClient } from '@mastra/mcp'
import { serveCalls } from './serve-calls.mjs'

await serveCalls(async ({ transport, url, headers, command, args, env }) => {
  const plexus =
    transport === 'HTTP' ? { url: new URL(url), requestInit: { headers } } : { command, args, env }
  const tools = await new MCPClient({ servers: { plexus } }).listTools()
  return (tool, input) => tools[`plexus_${tool}`].execute(input, {})
})
