import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { connected, startPipedCliIn } from '../../rig/cli/piped-cli.ts'

test('Claude Code itself is a client: it starts plexus mcp, knows its tools and calls them', async () => {
  const place = await hubPlace({
    scenario: { main: [tools(use('mcp__plexus__claude_list', {})), say('done')] },
  })
  place.startsHubs()
  const file = join(place.folder, 'mcp.json')
  const plexus = {
    command: process.execPath,
    args: [programPath('plexus'), 'mcp', '--home', place.home],
    env: place.env,
  }
  await writeFile(file, JSON.stringify({ mcpServers: { plexus } }), { mode: 0o600 })
  const cli = await startPipedCliIn(
    { home: place.folder, cwd: place.project },
    place.model.url,
    `--mcp-config=${file}`,
    '--allowedTools=mcp__plexus__claude_list',
  )
  await connected(cli)
  expect(existsSync(place.home)).toBe(false) // it asks what there is, and no hub is begun for that
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'done', permission_denials: [] })
  const shown = await cli.line(({ type, subtype }) => type === 'system' && subtype === 'init')
  expect(shown['tools']).toContain('mcp__plexus__claude_start')
  const result = JSON.stringify(cli.lines.filter(({ type }) => type === 'user'))
  expect(result).toMatch(/\\"sessions\\":\[/)
  await cli.end()
})
