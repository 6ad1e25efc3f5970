/** Clients of MCP that nobody here wrote, spoken to in one way. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { programPath } from './build-programs.ts'
import type { HubPlace } from './hub.ts'

/** `sdk 1` and `2025` speak 2025-11-25, `2026` the newest. */
export const clients = ['sdk 1', '2025', '2026'] as const
export type ClientKind = (typeof clients)[number]

export interface McpClient {
  readonly tools: () => Promise<readonly { name: string }[]>
  /** The structured result; an error of the tool is thrown with its code. */
  readonly call: <T>(name: string, input?: object) => Promise<T>
  readonly close: () => Promise<void>
}

const ME = { name: 'test', version: '0' }
const LONG = { timeout: 120_000 }

export async function httpClient(
  kind: ClientKind,
  { url, token }: { url: string; token: string },
): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const at = new URL(`${url}/mcp`)
  return kind === 'sdk 1'
    ? oldClient(new OldHttp(at, { requestInit }))
    : newClient(kind, new NewHttp(at, { requestInit }))
}

/** A client that starts `plexus mcp` itself, as clients do; the process is gone when the test is over. */
export async function stdioClient(
  kind: ClientKind,
  place: HubPlace,
  ...args: string[]
): Promise<McpClient & { pid: number }> {
  const { env, project: cwd } = place
  const all = [programPath('plexus'), 'mcp', '--home', place.home, ...args]
  const how = { command: process.execPath, args: all, env, cwd, stderr: 'pipe' as const }
  place.startsHubs()
  const transport = kind === 'sdk 1' ? new OldStdio(how) : new NewStdio(how)
  transport.stderr?.on('data', (text: Buffer) => (place.stderr += text.toString()))
  const client = await (transport instanceof OldStdio ? oldClient(transport) : newClient(kind, transport))
  return { ...client, pid: transport.pid ?? 0 }
}

async function oldClient(transport: OldHttp | OldStdio): Promise<McpClient> {
  const client = new OldClient(ME)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, input = {}) => told(client.callTool({ name, arguments: { ...input } }, undefined, LONG)),
    close: () => client.close(),
  }
}

async function newClient(kind: ClientKind, transport: NewHttp | NewStdio): Promise<McpClient> {
  const client = new NewClient(ME, { versionNegotiation: { mode: kind === '2025' ? 'legacy' : 'auto' } })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, input = {}) => told(client.callTool({ name, arguments: { ...input } }, LONG)),
    close: () => client.close(),
  }
}

/** What came back is what the test says it is. */
async function told(answer: Promise<object>): Promise<never> {
  const { content, structuredContent, isError } = (await answer) as Told
  const text = JSON.parse(content[0]?.text ?? '') as { message: string }
  if (isError) throw Object.assign(new Error(text.message), text)
  return (structuredContent ?? text) as never
}

interface Told {
  readonly content: readonly { text: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}
