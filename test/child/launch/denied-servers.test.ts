import { expect, it } from 'vitest'
import { deniedServers } from '../../../src/child/launch/denied-servers.ts'
import { childUrl } from '../../../src/child/launch/mcp-servers.ts'

const HUB = 'http://127.0.0.1:4445/mcp'

it('a child has no server of its user that has the name of ours or an address of the hub', () => {
  expect(deniedServers(HUB, false)).toEqual([
    { serverName: 'plexus' },
    { serverUrl: HUB },
    { serverUrl: `${HUB}?*` },
    { serverUrl: 'http://localhost:4445/*' },
  ])
})

it('one that has a server of ours keeps it, by name and by address', () => {
  const denied = deniedServers(HUB, true)
  expect(denied).toEqual(deniedServers(HUB, false).slice(1))
  expect(denied).not.toContainEqual({ serverName: 'plexus' })
  expect(denied).not.toContainEqual({ serverUrl: childUrl(HUB) })
})

it('where no hub listens there is nothing but the name', () => {
  expect(deniedServers(undefined, false)).toEqual([{ serverName: 'plexus' }])
})
