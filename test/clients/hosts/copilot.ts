/** GitHub Copilot's command line, `copilot -p`, with a model of one's own. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

const serverOf = (server: Server): object => ({
  tools: ['*'],
  timeout: 60_000,
  ...(server.transport === 'stdio'
    ? { type: 'local', command: server.command, args: server.args, env: server.env }
    : { type: 'http', url: server.url, headers: server.headers }),
})

export const copilot: Client = {
  name: 'copilot',
  title: 'GitHub Copilot CLI, `copilot -p`',
  version: packageVersion('copilot'),
  setup:
    '`"mcpServers": { "plexus": { "type": "local", "command": "plexus", "args": ["mcp"], "tools": ["*"], "timeout": 60000 } }` in `~/.copilot/mcp-config.json`, or `"type": "http"` with `url` and `headers`; `--allow-all-tools` with `-p`.',
  shell: { run: (command) => ({ tool: 'bash', input: { command, description: 'Looks around' } }) },
  run: async ({ home, parent, server, program, note }) => {
    const file = join(home, 'mcp-config.json')
    await writeFile(file, JSON.stringify({ mcpServers: { plexus: serverOf(server) } }))
    const env = {
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${await modelParent(parent, note)}/v1`,
      COPILOT_PROVIDER_API_KEY: 'fake',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }
    const all = ['--allow-all-tools', '--disable-builtin-mcps', '--additional-mcp-config', `@${file}`]
    const args = [join(packagePath('copilot'), 'npm-loader.js'), '-p', 'Let a session do it.', ...all]
    return program(nodeForClients(), args, { env })
  },
}
