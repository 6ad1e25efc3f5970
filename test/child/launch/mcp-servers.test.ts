import { expect, it } from 'vitest'
import {
  childUrl,
  isOwnTool,
  McpServers,
  mcpConfig,
  ownToolName,
  permitUrlIn,
  relayConfig,
} from '../../../src/child/launch/mcp-servers.ts'

const permit = { url: 'http://127.0.0.1:1/mcp', token: 't' }
const ours = { type: 'http', url: permit.url, headers: { Authorization: 'Bearer t' } }

it('the config of a child holds the servers of its caller and the one that asks for permission', () => {
  expect(mcpConfig({ a: { command: 'x' } }, permit)).toEqual({
    mcpServers: { a: { command: 'x' }, plexus: ours },
  })
  expect(mcpConfig({ a: { command: 'x' } })).toEqual({ mcpServers: { a: { command: 'x' } } })
})

it('no server of a caller stands in for the one that asks for permission', () => {
  expect(mcpConfig({ plexus: { command: 'x' } }, permit)).toEqual({ mcpServers: { plexus: ours } })
})

it('the address of our server is found in a config that has it, and in nothing else', () => {
  expect(permitUrlIn(JSON.stringify(mcpConfig({ a: { command: 'x' } }, permit)))).toBe(permit.url)
  const others = [{}, { mcpServers: {} }, { mcpServers: { plexus: {} } }, mcpConfig({ a: { command: 'x' } })]
  for (const text of ['', '{', 'null', ...others.map((other) => JSON.stringify(other))])
    expect(permitUrlIn(text)).toBeUndefined()
})

it('a child reaches the hub at an address of its own', () => {
  expect(childUrl('http://127.0.0.1:1/mcp')).toBe('http://127.0.0.1:1/mcp/child')
})

it('our tools are those of our server', () => {
  const names = [ownToolName('start'), 'mcp__plexus__x', 'mcp__plexusx__y', 'start', 'x mcp__plexus__']
  expect(names.map(isOwnTool)).toEqual([true, true, false, false, false])
})

it('a process that is not ours has its token in a variable, not in its command line', () => {
  const relay = { command: 'node', args: ['main.js', 'relay'] }
  const env = { LOOPBACK_SESSION_ID: 's', PLEXUS_RELAY_TOKEN: 't' }
  const config = (args: string[]) => ({
    mcpServers: { plexus: { type: 'stdio', command: 'node', args, env } },
  })
  const of = { sessionId: 's', token: 't' }
  expect(relayConfig(relay, { ...of, nested: false })).toEqual(config(['main.js', 'relay']))
  expect(relayConfig(relay, { ...of, nested: true })).toEqual(config(['main.js', 'relay', '--nested']))
})

const http = { type: 'http', url: 'http://x' }

it.each<[string, unknown, RegExp]>([
  ['http', http, /^accepted$/],
  ['https', { type: 'sse', url: 'https://x' }, /^accepted$/],
  ['a command', { type: 'stdio', command: 'x', args: ['y'], env: { A: 'b' } }, /^accepted$/],
  ['a URL in a text', { ...http, url: 'x http://x' }, /must begin with http/],
  ['a URL of another kind', { ...http, url: 7 }, /nothing more/],
  ['an unknown type', { ...http, type: 'ws' }, /nothing more/],
  ['a command of type http', { type: 'http', command: 'x' }, /nothing more/],
  ['an empty command', { command: '' }, /nothing more/],
  ['arguments that are no list', { command: 'x', args: 'y' }, /nothing more/],
  ['an unknown field', { command: 'x', cwd: '/' }, /nothing more/],
  ['a text', 'x', /nothing more/],
])('a server of a caller: %s', (_, server, refusal) => {
  const message = McpServers.safeParse({ a: server }).error?.issues[0]?.message
  expect(message ?? 'accepted').toMatch(refusal)
})
