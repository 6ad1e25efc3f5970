/** Continue's command line, `cn -p`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

const serverOf = (server: Server): object =>
  server.transport === 'stdio'
    ? { name: 'plexus', type: 'stdio', command: server.command, args: server.args, env: server.env }
    : {
        name: 'plexus',
        type: 'streamable-http',
        url: server.url,
        requestOptions: { headers: server.headers },
      }

export const continueCli: Client = {
  name: 'continue',
  title: 'Continue CLI, `cn -p`',
  version: packageVersion('continue'),
  setup:
    '`mcpServers: [{ name: plexus, command: plexus, args: [mcp] }]` in `config.yaml`, or `type: streamable-http` with `url` and `requestOptions.headers`.',
  shell: { run: (command) => ({ tool: 'Bash', input: { command } }), isUnmarked: true },
  run: async ({ cwd, home, parent, server, program, note }) => {
    const apiBase = `${await modelParent(parent, note)}/v1`
    const model = { name: 'Scripted', provider: 'openai', model: 'scripted', apiBase, apiKey: 'fake' }
    const config = {
      name: 'suite',
      version: '0.0.1',
      schema: 'v1',
      models: [{ ...model, roles: ['chat'], capabilities: ['tool_use'] }],
      mcpServers: [serverOf(server)],
    }
    const file = join(cwd, 'config.yaml')
    await writeFile(file, JSON.stringify(config)) // which is YAML too
    const env = { CONTINUE_GLOBAL_DIR: join(home, '.continue'), CONTINUE_TELEMETRY_ENABLED: '0' }
    const args = [
      join(packagePath('continue'), 'dist/cn.js'),
      '--config',
      file,
      '--auto',
      '-p',
      'Let a session do it.',
    ]
    return program(nodeForClients(), args, { env })
  },
}
