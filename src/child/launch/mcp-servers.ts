import { z } from 'zod'
import { recordOf } from './argument-text.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'

/** The server of the mcp carrier. A caller's server of this name could answer the child's questions itself. */
export const PERMIT_SERVER = 'plexus'

/** The CLI's name for the tool of that server by which a child asks. */
export const PERMIT_TOOL = ownToolName('loopback_permit')

/** A tool of that server by which a nested child starts and answers sessions below it. */
export interface OwnTool {
  readonly name: string
  readonly readOnly: boolean
}

/** The address of that server for children. Other clients have another address, which is denied to every child. */
export function childUrl(hubUrl: string): string {
  return `${hubUrl}/child`
}

/** The CLI's name for a tool of that server. */
export function ownToolName(name: string): string {
  return `mcp__${PERMIT_SERVER}__${name}`
}

export function isOwnTool(toolName: string): boolean {
  return toolName.startsWith(ownToolName(''))
}

const SHAPE =
  'mcpServers: a server is { command, args, env } or { type: "http" | "sse", url, headers } and nothing more.'

const text = z.string()

/** The CLI fills in `${NAME}` from its environment, so a URL could carry the user's keys to any host. */
const sentText = text.refine(
  (value) => !value.includes('${'),
  'mcpServers: url and headers may not contain "${"; write the value itself.',
)

const name = text
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_-]*$/, 'mcpServers: a name may have letters, digits, "_" and "-" only.')
  .refine(
    (value) => value.toLowerCase() !== PERMIT_SERVER,
    `mcpServers: the name "${PERMIT_SERVER}" is taken; choose another.`,
  )

// Strict, because the CLI knows fields that run a command to make headers: with those a URL is not just a URL.
const Stdio = z.strictObject(
  {
    type: z.literal('stdio').optional(),
    command: text.min(1, SHAPE),
    args: z.array(text).optional(),
    env: recordOf('mcpServers: env', z.string(), text).optional(),
  },
  { error: SHAPE },
)

const Http = z.strictObject(
  {
    type: z.enum(['http', 'sse']),
    url: sentText.refine(
      (value) => /^https?:\/\//.test(value),
      'mcpServers: url must begin with http:// or https://.',
    ),
    headers: recordOf('mcpServers: headers', z.string(), sentText).optional(),
  },
  { error: SHAPE },
)

/** The MCP servers that a caller may add to a child, in the CLI's own format. */
export const McpServers = recordOf('mcpServers', name, z.union([Stdio, Http], { error: SHAPE }))
export type McpServers = z.infer<typeof McpServers>

/** The command line that runs this program as a relay. */
export interface Relay {
  readonly command: string
  readonly args: readonly string[]
}

/** The variable that holds a relay's token: every user of the machine can read a command line. */
export const RELAY_TOKEN = 'PLEXUS_RELAY_TOKEN'

/** The MCP config of a process that is not ours: it sends the token to no port, where any program may listen. */
export function relayConfig(
  { command, args }: Relay,
  { sessionId, token, nested }: { sessionId: string; token: string; nested: boolean },
): { mcpServers: Record<string, unknown> } {
  const env = { [SESSION_MARK]: sessionId, [RELAY_TOKEN]: token }
  const all = nested ? [...args, '--nested'] : args
  return { mcpServers: { [PERMIT_SERVER]: { type: 'stdio', command, args: all, env } } }
}

const ConfigWithPermit = z.object({
  mcpServers: z.object({ [PERMIT_SERVER]: z.object({ url: z.string() }) }),
})

/** The address of our server in the text of an MCP config file; undefined if it has none. */
export function permitUrlIn(config: string): string | undefined {
  try {
    return ConfigWithPermit.safeParse(JSON.parse(config)).data?.mcpServers[PERMIT_SERVER].url
  } catch {
    return undefined
  }
}

/** The content of the private file that `--mcp-config=` names. */
export function mcpConfig(
  servers: McpServers | undefined,
  permit?: { url: string; token: string },
): { mcpServers: Record<string, unknown> } {
  const ours = permit && {
    [PERMIT_SERVER]: { type: 'http', url: permit.url, headers: { Authorization: `Bearer ${permit.token}` } },
  }
  return { mcpServers: { ...servers, ...ours } }
}
