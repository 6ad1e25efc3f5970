// An agent with its whole loop: the model is at OPENAI_BASE_URL.
import { Agent, MCPServerStdio, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'

setTracingDisabled(true)
const { transport, url, headers, command, args, env } = JSON.parse(process.argv[2])
const patience = { clientSessionTimeoutSeconds: 60 }
const plexus =
  transport === 'HTTP'
    ? new MCPServerStreamableHttp({ name: 'plexus', url, requestInit: { headers }, ...patience })
    : new MCPServerStdio({ name: 'plexus', command, args, env, ...patience })
await plexus.connect()
const agent = new Agent({ name: 'parent', model: 'scripted', mcpServers: [plexus] })
const { finalOutput } = await run(agent, 'Let a session do it.', { maxTurns: 30 })
console.log(finalOutput)
await plexus.close()
