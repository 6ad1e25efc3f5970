import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { PERMIT_SERVER } from '../../child/launch/mcp-servers.ts'
import { parseJson } from '../../text/json-text.ts'

const McpConfig = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) })

/** A server with the name of ours could answer the questions in its place. */
export async function requireNoOwnServer(configs: readonly string[]): Promise<void> {
  for (const config of configs) {
    const inline = McpConfig.safeParse(parseJson(config)).data
    const found =
      inline ?? McpConfig.safeParse(parseJson(await readFile(config, 'utf8').catch(() => ''))).data
    if (!found)
      throw new AppError(
        'invalid_input',
        'A value of --mcp-config is neither MCP servers as JSON nor a file with them; correct it.',
      )
    if (Object.keys(found.mcpServers).some((name) => name.toLowerCase() === PERMIT_SERVER))
      throw new AppError(
        'invalid_input',
        `plexus run does not take --mcp-config with a server named ${PERMIT_SERVER}: its own has that name.`,
      )
  }
}
