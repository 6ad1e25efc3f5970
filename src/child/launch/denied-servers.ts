import { PERMIT_SERVER } from './mcp-servers.ts'

/**
 * MCP servers that a child is not to have: those by which its user speaks to the hub. There it would be the operator, who may
 * start sessions past every limit and answer for them, and the user's own rules may let it do so unasked. The server that
 * we give a child goes before another of its name, and has an address of its own.
 */
export function deniedServers(hubUrl: string | undefined, hasOurs: boolean): DeniedServer[] {
  return [
    ...(hasOurs ? [] : [{ serverName: PERMIT_SERVER }]),
    ...(hubUrl === undefined ? [] : addressesOf(hubUrl).map((serverUrl) => ({ serverUrl }))),
  ]
}

/** In the CLI's own words. */
export type DeniedServer = { serverName: string } | { serverUrl: string }

function addressesOf(hubUrl: string): string[] {
  const { origin, port } = new URL(hubUrl)
  return [`${origin}/mcp`, `${origin}/mcp?*`, `http://localhost:${port}/*`]
}
