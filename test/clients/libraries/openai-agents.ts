/** An agent of the OpenAI Agents SDK, whole loop. */
import { nodeForClients, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client } from '../client.ts'
import { modelParent } from '../models/model-server.ts'
import { programBeside } from './library.ts'

export const openaiAgents: Client = {
  name: 'openai-agents',
  title: 'OpenAI Agents SDK',
  version: packageVersion('openai-agents'),
  setup:
    '`new MCPServerStdio({ command: "plexus", args: ["mcp"], clientSessionTimeoutSeconds: 60 })`, or `MCPServerStreamableHttp` with `url` and `requestInit: { headers }`: a wait takes longer than its own limit of 5 seconds.',
  theirs: {
    'HTTP SIGTERM': 'it lists the tools before each turn, and a listing that meets no hub ends its run',
  },
  run: async ({ parent, server, program, note }) => {
    const env = { OPENAI_BASE_URL: `${await modelParent(parent, note)}/v1`, OPENAI_API_KEY: 'fake' }
    return program(nodeForClients(), [await programBeside('openai-agents'), JSON.stringify(server)], { env })
  },
}
