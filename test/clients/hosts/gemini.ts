/** Gemini CLI and Qwen Code, which comes from it: both ask once by `-p`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server, Stage } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

const serverOf = (server: Server): object => ({
  trust: true,
  timeout: 60_000,
  ...(server.transport === 'stdio'
    ? { command: server.command, args: server.args, env: server.env }
    : { httpUrl: server.url, headers: server.headers }),
})

async function settings(stage: Stage, folder: string, more: object): Promise<void> {
  await mkdir(join(stage.home, folder))
  const all = {
    mcpServers: { plexus: serverOf(stage.server) },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
    ...more,
  }
  await writeFile(join(stage.home, folder, 'settings.json'), JSON.stringify(all))
}

const HOW =
  '`"mcpServers": { "plexus": { "command": "plexus", "args": ["mcp"], "timeout": 60000 } }`, or `httpUrl` and `headers`, in'

export const geminiCli: Client = {
  name: 'gemini',
  title: 'Gemini CLI, `gemini -p`',
  version: packageVersion('gemini'),
  setup: `${HOW} \`~/.gemini/settings.json\`; \`"trust": true\` if nobody is there to allow its tools.`,
  shell: { run: (command) => ({ tool: 'run_shell_command', input: { command } }) },
  run: async (stage) => {
    await settings(stage, '.gemini', { security: { auth: { selectedType: 'gemini-api-key' } } })
    const url = await modelParent(stage.parent, stage.note)
    const env = { GEMINI_API_KEY: 'fake', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }
    const args = [
      join(packagePath('gemini'), 'bundle/gemini.js'),
      '--yolo',
      '-m',
      'gemini-2.5-pro',
      '-p',
      'Let a session do it.',
    ]
    return stage.program(nodeForClients(), args, { env })
  },
}

export const qwenCode: Client = {
  name: 'qwen',
  title: 'Qwen Code, `qwen -p`',
  version: packageVersion('qwen'),
  setup: `${HOW} \`~/.qwen/settings.json\`; \`"trust": true\` if nobody is there to allow its tools.`,
  shell: { run: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }) },
  run: async (stage) => {
    await settings(stage, '.qwen', { security: { auth: { selectedType: 'openai' } } })
    const url = `${await modelParent(stage.parent, stage.note)}/v1`
    const env = { OPENAI_API_KEY: 'fake', OPENAI_BASE_URL: url, OPENAI_MODEL: 'scripted' }
    const args = [join(packagePath('qwen'), 'cli-entry.js'), '--yolo', '-p', 'Let a session do it.']
    return stage.program(nodeForClients(), args, { env })
  },
}
