/** A child's token in other hands: raw calls to the mcp carrier. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Sessions } from '../hubs/sessions.ts'

export const eras = ['legacy', 'auto'] as const

export interface PermitAccess {
  readonly path: string
  readonly url: string
  readonly headers: Record<string, string>
}

/** What the child of the only live run asks with. */
export async function accessOf(all: Sessions): Promise<PermitAccess> {
  const [run] = await all.store.runs.live()
  const path = join(run?.folder ?? '', 'mcp.json')
  const config = JSON.parse(await readFile(path, 'utf8')) as { mcpServers: { plexus: PermitAccess } }
  return { ...config.mcpServers.plexus, path }
}

/** `legacy` speaks 2025-11-25, `auto` the newest that both know. */
export async function permitClient(
  { url, headers }: PermitAccess,
  mode: (typeof eras)[number],
): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return client
}
