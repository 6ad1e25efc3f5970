/** Clients of MCP that nobody here wrote, spoken to in one way. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'

/** `sdk 1` and `2025` speak 2025-11-25, `2026` the newest. */
export const clients = ['sdk 1', '2025', '2026'] as const
export type ClientKind = (typeof clients)[number]

export interface McpClient {
  readonly tools: () => Promise<readonly { name: string }[]>
  /** The structured result; an error of the tool is thrown with its code. */
  readonly call: <T>(name: string, input?: object) => Promise<T>
}

const ME = { name: 'test', version: '0' }
const LONG = { timeout: 120_000 }

export async function httpClient(
  kind: ClientKind,
  { url, token }: { url: string; token: string },
): Promise<McpClient> {
  const headers = { authorization: `Bearer ${token}` }
  const at = new URL(`${url}/mcp`)
  if (kind === 'sdk 1') {
    const client = new OldClient(ME)
    onTestFinished(() => client.close())
    await client.connect(new OldHttp(at, { requestInit: { headers } }))
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, input = {}) => told(client.callTool({ name, arguments: { ...input } }, undefined, LONG)),
    }
  }
  const client = new NewClient(ME, { versionNegotiation: { mode: kind === '2025' ? 'legacy' : 'auto' } })
  onTestFinished(() => client.close())
  await client.connect(new NewHttp(at, { requestInit: { headers } }))
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, input = {}) => told(client.callTool({ name, arguments: { ...input } }, LONG)),
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
