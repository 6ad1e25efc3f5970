/** mcp-remote: for clients that speak stdio only, to a hub that is there already; behind it a client of SDK 1. */
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client } from '../client.ts'
import { drive } from '../drive.ts'

export const mcpRemote: Client = {
  name: 'mcp-remote',
  title: 'mcp-remote, with MCP SDK 1 in front',
  version: packageVersion('mcp-remote'),
  setup:
    '`mcp-remote http://127.0.0.1:4445/mcp --header "Authorization: Bearer TOKEN"`, or better `--header-file`.',
  notFor: { stdio: 'it is there to reach a server over HTTP' },
  run: async ({ server, parent, env, cwd, note }) => {
    if (server.transport !== 'HTTP') throw new Error('It is for HTTP only.')
    const args = [
      join(packagePath('mcp-remote'), 'dist/proxy.js'),
      server.url,
      ...Object.entries(server.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ]
    const transport = new StdioClientTransport({ command: nodeForClients(), args, env, cwd, stderr: 'pipe' })
    transport.stderr?.on('data', (text: Buffer) => note(text.toString()))
    const client = new SdkClient({ name: 'suite', version: '0' })
    onTestFinished(() => client.close())
    await client.connect(transport)
    return drive(parent, async (name, input) => {
      const result = await client.callTool({ name, arguments: input })
      return { text: JSON.stringify(result.content), isError: false }
    })
  },
}
