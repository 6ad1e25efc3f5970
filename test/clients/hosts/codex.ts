/** Codex, `codex exec`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

/** A string of JSON is one of TOML too. */
const toml = (value: unknown): string => JSON.stringify(value)
const table = (fields: Record<string, string>): string =>
  `{ ${Object.entries(fields)
    .map(([key, value]) => `${toml(key)} = ${toml(value)}`)
    .join(', ')} }`

const serverOf = (server: Server): string[] =>
  server.transport === 'stdio'
    ? [`command = ${toml(server.command)}`, `args = ${toml(server.args)}`, `env = ${table(server.env)}`]
    : [`url = ${toml(server.url)}`, `http_headers = ${table(server.headers)}`]

export const codex: Client = {
  name: 'codex',
  title: 'Codex CLI, `codex exec`',
  version: packageVersion('codex'),
  setup:
    '`[mcp_servers.plexus]` with `command = "plexus"` and `args = ["mcp"]`, or `url` and `http_headers`, in `~/.codex/config.toml`; `tool_timeout_sec = 60` for waits, `required = true` so that it is there before the first prompt, `default_tools_approval_mode = "approve"` if nobody is there to allow its tools.',
  shell: { run: (cmd) => ({ tool: 'exec_command', input: { cmd } }) },
  run: async ({ home, parent, server, program, note, runsCommands }) => {
    const folder = join(home, '.codex')
    await mkdir(folder)
    const config = [
      'model = "scripted"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.scripted]',
      'name = "Scripted"',
      `base_url = ${toml(`${await modelParent(parent, note)}/v1`)}`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      '[mcp_servers.plexus]',
      ...serverOf(server),
      'tool_timeout_sec = 60',
      'required = true',
      'default_tools_approval_mode = "approve"',
    ]
    await writeFile(join(folder, 'config.toml'), config.join('\n'))
    const args = [
      join(packagePath('codex'), 'bin/codex.js'),
      'exec',
      '--skip-git-repo-check',
      ...(runsCommands ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      'Let a session do it.',
    ]
    return program(nodeForClients(), args, { env: { CODEX_HOME: folder, SCRIPTED_KEY: 'fake' } })
  },
}
