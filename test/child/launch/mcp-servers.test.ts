import { expect, it } from 'vitest'
import { mcpConfig } from '../../../src/child/launch/mcp-servers.ts'

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
