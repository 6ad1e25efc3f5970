/** Commands that call one tool and end: mcporter and the command line of the MCP Inspector. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Server, Stage } from '../client.ts'
import { drive } from '../drive.ts'

type Call = readonly [tool: string, input: object]

async function commands(stage: Stage, config: object, argsOf: (file: string, call: Call) => string[]) {
  const file = join(stage.home, 'servers.json')
  await writeFile(file, JSON.stringify(config))
  return drive(stage.parent, async (...call) => ({
    text: await stage.program(nodeForClients(), argsOf(file, call)),
    isError: false,
  }))
}

const mcporterServer = (server: Server): object =>
  server.transport === 'stdio'
    ? { command: server.command, args: server.args, env: server.env }
    : { url: server.url, headers: server.headers, allowHttp: true }

const mcporter: Client = {
  name: 'mcporter',
  title: 'mcporter',
  version: packageVersion('mcporter'),
  setup:
    '`{ "mcpServers": { "plexus": { "command": "plexus", "args": ["mcp"] } } }` in `config/mcporter.json`, or `url` and `headers`; then `mcporter call plexus.claude_start …`. A wait needs `--timeout 60000`.',
  run: (stage) =>
    commands(stage, { mcpServers: { plexus: mcporterServer(stage.server) } }, (file, [tool, input]) => [
      join(packagePath('mcporter'), 'dist/cli.js'),
      '--config', // it takes no `=`
      file,
      'call',
      `plexus.${tool}`,
      '--args',
      JSON.stringify(input),
      '--output',
      'json',
      '--timeout',
      '60000',
    ]),
}

const inspectorServer = (server: Server): object =>
  server.transport === 'stdio'
    ? { type: 'stdio', command: server.command, args: server.args, env: server.env }
    : { type: 'streamable-http', url: server.url, headers: server.headers }

const inspector = (era: 'legacy' | 'modern'): Client => ({
  name: `inspector-${era}`,
  title: `MCP Inspector, command line, era ${era}`,
  version: packageVersion('inspector'),
  setup:
    '`mcp-inspector --cli --config FILE --server plexus --method tools/call --tool-name claude_start --tool-args-json …`.',
  run: (stage) =>
    commands(stage, { mcpServers: { plexus: inspectorServer(stage.server) } }, (file, [tool, input]) => [
      join(packagePath('inspector'), 'clients/launcher/build/index.js'),
      '--cli',
      `--config=${file}`,
      '--server=plexus',
      `--protocol-era=${era}`,
      '--format=json',
      '--method=tools/call',
      `--tool-name=${tool}`,
      `--tool-args-json=${JSON.stringify(input)}`,
    ]),
})

export const oneCall: readonly Client[] = [mcporter, inspector('legacy'), inspector('modern')]
