/** The public SDKs of MCP, in this process. */
import { StreamableHTTPClientTransport as NewHttp, type Transport } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type ClientKind,
  clientOver,
  type McpClient,
  type Person,
  stdioClientWith,
} from '../../rig/clients/mcp-clients.ts'
import type { Client, Server, Stage } from '../client.ts'
import { drive } from '../drive.ts'

const sdk = (
  name: string,
  { kind, ...row }: Pick<Client, 'title' | 'version' | 'hasForms' | 'theirs'> & { kind: ClientKind },
): Client => ({
  name,
  ...row,
  setup: row.hasForms
    ? '`plexus mcp --ask both`, or `/mcp?ask=both`: a program with a form handler asks for forms.'
    : 'Nothing: the question is in the result of the call.',
  run: (stage) => called(stage, kind, row.hasForms ? (form) => stage.parent.fillIn(form.message) : undefined),
})

async function called({ server, place, parent }: Stage, kind: ClientKind, person?: Person): Promise<string> {
  const client =
    server.transport === 'stdio'
      ? await stdioClientWith(kind, place, { args: server.args.slice(4), ...(person ? { person } : {}) })
      : await overHttp(kind, server, person)
  return drive(parent, async (tool, input) => {
    const [text = ''] = await client.texts(tool, input)
    return { text, isError: false }
  })
}

function overHttp(kind: ClientKind, { url, headers }: HttpServer, person?: Person): Promise<McpClient> {
  const how = [new URL(url), { requestInit: { headers } }] as const
  // Each generation comes with its own, and either is given on as it is.
  const transport = kind === 'sdk 1' ? (new OldHttp(...how) as Transport) : new NewHttp(...how)
  return clientOver(kind, transport, person)
}

type HttpServer = Extract<Server, { transport: 'HTTP' }>

const V1 = { kind: 'sdk 1', title: 'MCP SDK 1', version: '1.32.2' } as const
const LEGACY = { kind: '2025', title: 'MCP client 2, era legacy', version: '2.4.0' } as const
const AUTO = { kind: '2026', title: 'MCP client 2, era auto', version: '2.4.0' } as const

export const mcpSdks: readonly Client[] = [
  sdk('sdk-1', V1),
  sdk('sdk-1-forms', { ...V1, title: 'MCP SDK 1, with forms', hasForms: true }),
  sdk('sdk-2-legacy', LEGACY),
  sdk('sdk-2-legacy-forms', { ...LEGACY, title: 'MCP client 2, era legacy, with forms', hasForms: true }),
  sdk('sdk-2-auto', AUTO),
  sdk('sdk-2-auto-forms', { ...AUTO, title: 'MCP client 2, era auto, with forms', hasForms: true }),
]
