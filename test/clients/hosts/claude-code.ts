/** Claude Code: asked once by `-p`, and run over stream-json by hosts of each kind. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedCli } from '../../../scripts/installed-cli.mjs'
import { cleanEnvironment, cliPath } from '../../rig/cli/real-cli.ts'
import { type FormHabit, HABITS, startStreamJsonHost } from '../../rig/cli/stream-json-host.ts'
import type { Client, Server, Shell, Stage } from '../client.ts'
import { modelParent } from '../models/model-server.ts'

const root = join(import.meta.dirname, '../../..')
const NEWEST = '2.1.325'
const OLDEST = '2.1.197'
const programOf = (version: string): string =>
  (version === OLDEST ? cliPath() : installedCli(join(root, '.cache/cli', version))) ?? 'claude'

/** What `--mcp-config` takes. */
export const claudeServer = (server: Server): object =>
  server.transport === 'stdio'
    ? { type: 'stdio', command: server.command, args: server.args, env: server.env }
    : { type: 'http', url: server.url, headers: server.headers }

export const claudeShell: Shell = { run: (command) => ({ tool: 'Bash', input: { command } }) }

async function configFile({ home, server }: Stage): Promise<string> {
  const file = join(home, 'mcp.json')
  await writeFile(file, JSON.stringify({ mcpServers: { plexus: claudeServer(server) } }))
  return file
}

async function print(stage: Stage, version: string): Promise<string> {
  const env = cleanEnvironment(stage.home, await modelParent(stage.parent, stage.note))
  const config = ['--mcp-config', await configFile(stage), '--strict-mcp-config']
  const allowed = stage.runsCommands ? 'Bash' : 'mcp__plexus'
  const args = ['-p', 'Let a session do it.', ...config, `--allowedTools=${allowed}`]
  return stage.program(programOf(version), args, { env })
}

async function host(stage: Stage, version: string, habit: FormHabit): Promise<string> {
  const url = await modelParent(stage.parent, stage.note)
  const { home, cwd, note } = stage
  const place = { home, cwd, cli: programOf(version), mcpConfig: await configFile(stage) }
  const { cli } = await startStreamJsonHost(place, url, habit)
  cli.say('Let a session do it.')
  const { result = '' } = await cli.result()
  note(JSON.stringify(cli.lines))
  return result
}

const ADD = '`claude mcp add --scope user plexus -- plexus mcp`; over HTTP `--transport http`.'

const rows = (version: string, suffix: string): Client[] => [
  {
    name: `claude-p${suffix}`,
    title: 'Claude Code, `claude -p`',
    version,
    setup: `${ADD} Allow its tools: \`--allowedTools mcp__plexus\`.`,
    shell: claudeShell,
    run: (stage) => print(stage, version),
  },
  {
    name: `stream-json-answers${suffix}`,
    title: 'Claude Code under a stream-json host that answers forms',
    version,
    setup: `${ADD} The host asks for forms: \`plexus mcp --ask both\`, over HTTP \`/mcp?ask=both\`.`,
    hasForms: true,
    run: (stage) => host(stage, version, (form) => stage.parent.fillIn(form)),
  },
  {
    name: `stream-json-declines${suffix}`,
    title: 'Claude Code under a stream-json host that declines forms',
    version,
    setup: `${ADD} Nothing else.`,
    run: (stage) => host(stage, version, HABITS.declines),
  },
  {
    name: `stream-json-silent${suffix}`,
    title: 'Claude Code under a stream-json host that ignores forms',
    version,
    setup: `${ADD} Nothing else.`,
    run: (stage) => host(stage, version, HABITS.silent),
  },
]

export const claudeCode: readonly Client[] = [...rows(NEWEST, ''), ...rows(OLDEST, '-197')]
