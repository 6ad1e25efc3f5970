import { PERMIT_SERVER } from './mcp-servers.ts'

/**
 * MCP servers that a child must not have: those by which its user connects to the hub. There it would be the operator, who
 * may start sessions past every limit and answer for them, and the user's own rules may let it do so unasked. The server
 * that we give a child takes precedence over another server of its name, and has its own address.
 */
export function deniedServers(hubUrl: string | undefined, hasOurs: boolean): DeniedServer[] {
  return [
    ...(hasOurs ? [] : [{ serverName: PERMIT_SERVER }]),
    ...(hubUrl === undefined ? [] : addressesOf(hubUrl).map((serverUrl) => ({ serverUrl }))),
  ]
}

/** In the CLI's own format. */
export type DeniedServer = { serverName: string } | { serverUrl: string }

function addressesOf(hubUrl: string): string[] {
  const { origin, port } = new URL(hubUrl)
  return [`${origin}/mcp`, `${origin}/mcp?*`, `http://localhost:${port}/*`]
}
