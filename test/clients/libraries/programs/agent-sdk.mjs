// A host on the Agent SDK; with forms its person allows one command and denies the other.
import { query } from '@anthropic-ai/claude-agent-sdk'

const { server, hasForms, allowed } = JSON.parse(process.argv[2])
const { transport, url, headers, command, args, env } = server
const plexus = transport === 'HTTP' ? { type: 'http', url, headers } : { type: 'stdio', command, args, env }

const onElicitation = async ({ message }) => {
  console.log(JSON.stringify({ form: message }))
  return { action: 'accept', content: { decision: message.includes('touch allowed') ? 'allow' : 'deny' } }
}

const messages = query({
  prompt: 'Let a session do it.',
  options: {
    mcpServers: { plexus },
    strictMcpConfig: true,
    settingSources: [],
    allowedTools: [allowed],
    ...(hasForms ? { onElicitation } : {}),
  },
})
for await (const message of messages)
  if (message.type === 'result') console.log(JSON.stringify({ result: message.result }))
