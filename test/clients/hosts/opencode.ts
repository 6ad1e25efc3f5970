/** OpenCode, `opencode run`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

const serverOf = (server: Server): object =>
  server.transport === 'stdio'
    ? { type: 'local', command: [server.command, ...server.args], environment: server.env, enabled: true }
    : { type: 'remote', url: server.url, headers: server.headers, enabled: true, oauth: false }

export const opencode: Client = {
  name: 'opencode',
  title: 'OpenCode, `opencode run`',
  version: packageVersion('opencode'),
  setup:
    '`"mcp": { "plexus": { "type": "local", "command": ["plexus", "mcp"], "timeout": 60000 } }` in `opencode.json`, or `"type": "remote"` with `url` and `headers`.',
  shell: { run: (command) => ({ tool: 'bash', input: { command, description: 'Looks around' } }) },
  run: async ({ cwd, parent, server, program, note }) => {
    const options = { baseURL: `${await modelParent(parent, note)}/v1`, apiKey: 'fake' }
    const models = {
      scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8_000 } },
    }
    const config = {
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } },
      mcp: { plexus: { ...serverOf(server), timeout: 60_000 } },
      permission: 'allow',
      autoupdate: false,
      share: 'disabled',
    }
    await writeFile(join(cwd, 'opencode.json'), JSON.stringify(config))
    const binary = join(packageFolder('opencode'), 'node_modules/opencode-linux-x64/bin/opencode')
    const env = {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }
    return program(binary, ['run', 'Let a session do it.'], { env })
  },
}
