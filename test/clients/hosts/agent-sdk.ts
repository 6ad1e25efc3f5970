/** A host that somebody writes with the Claude Agent SDK, which brings its own CLI. */
import { nodeForClients, packageVersion } from '../../../scripts/client-packages.mjs'
import { cleanEnvironment } from '../../rig/cli/real-cli.ts'
import type { Client, Stage } from '../client.ts'
import { programBeside } from '../libraries/library.ts'
import { claudeShell } from './claude-code.ts'
import { modelParent } from '../models/model-server.ts'

async function run(stage: Stage, hasForms: boolean): Promise<string> {
  const env = cleanEnvironment(stage.home, await modelParent(stage.parent, stage.note))
  const setting = JSON.stringify({
    server: stage.server,
    hasForms,
    allowed: stage.runsCommands ? 'Bash' : 'mcp__plexus',
  })
  let said = ''
  await stage.program(nodeForClients(), [await programBeside('agent-sdk'), setting], {
    env,
    onLine: (line) => {
      const { form, result } = JSON.parse(line) as { form?: string; result?: string }
      if (form !== undefined) stage.parent.fillIn(form)
      if (result !== undefined) said = result
    },
  })
  return said
}

const HOW =
  '`options: { mcpServers: { plexus: { type: "stdio", command: "plexus", args: ["mcp"] } }, allowedTools: ["mcp__plexus"] }`'

export const agentSdk: readonly Client[] = [
  {
    name: 'agent-sdk',
    title: 'Claude Agent SDK',
    version: packageVersion('agent-sdk'),
    setup: `${HOW}.`,
    shell: claudeShell,
    run: (stage) => run(stage, false),
  },
  {
    name: 'agent-sdk-forms',
    title: 'Claude Agent SDK with `onElicitation`',
    version: packageVersion('agent-sdk'),
    setup: `${HOW}, with \`args: ["mcp", "--ask", "both"]\`, over HTTP \`/mcp?ask=both\`: only then is the handler called.`,
    hasForms: true,
    run: (stage) => run(stage, true),
  },
]
