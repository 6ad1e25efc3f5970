import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFile, execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { mcpbProgram, paths } from '../../scripts/bundles.mjs'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { EventOf, SessionEvent } from '../../src/events/session-event.ts'
import type { Page } from '../../src/sessions/record/read-events.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { cliPath, temporaryFolder } from '../rig/cli/real-cli.ts'
import { hubPlace, type HubPlace } from '../rig/hubs/hub.ts'

interface Mcpb {
  readonly server: { readonly mcp_config: { readonly command: string; readonly args: readonly string[] } }
  readonly tools: readonly { readonly name: string }[]
}

/** What a CLI with this environment says; the model that it asks is in this process. */
async function claude(place: HubPlace, args: readonly string[]): Promise<string> {
  const asked = promisify(execFile)(cliPath(), args, { env: place.env, cwd: place.project, timeout: 60_000 })
  asked.child.stdin?.end()
  return (await asked).stdout
}

/** With the folder of this Node, for a bundle starts `node`. */
const withNode = () => ({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin` })

test('the MCPB bundle, unpacked into an empty folder, starts by the command of its manifest and has the tools that it lists', async () => {
  const place = await hubPlace({ env: withNode() })
  const folder = join(place.folder, 'unpacked')
  execFileSync(process.execPath, [mcpbProgram(), 'unpack', paths.mcpb, folder])
  execFileSync(process.execPath, [mcpbProgram(), 'validate', join(folder, 'manifest.json')])
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Mcpb
  const { command, args } = manifest.server.mcp_config
  const inFolder = args.map((arg) => arg.replace('${__dirname}', folder))
  const env = { ...place.env, PLEXUS_HOME: place.home }
  place.startsHubs()
  const client = new Client({ name: 'package', version: '0' })
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport({ command, args: inFolder, env, cwd: place.project }))
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name))
  expect(await client.callTool({ name: 'claude_list', arguments: {} })).not.toHaveProperty('isError', true)
})

test('the CLI finds no fault with the plugin and its marketplace', async () => {
  const place = await hubPlace()
  for (const folder of [paths.plugin, paths.terminals, paths.marketplace])
    expect(await claude(place, ['plugin', 'validate', '--strict', folder])).toContain('Validation passed')
})

interface Init {
  readonly type: string
  readonly subtype?: string
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[]
  readonly tools: readonly string[]
  readonly skills: readonly string[]
}

/** What the CLI says of itself at the beginning of a turn. */
async function initOf(place: HubPlace, ...flags: string[]): Promise<Init> {
  const args = ['-p', 'Hello.', '--output-format', 'stream-json', '--verbose', ...flags]
  const lines = (await claude(place, args))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Init)
  const init = lines.find(({ type, subtype }) => type === 'system' && subtype === 'init')
  if (!init) throw new Error('The CLI did not begin.')
  return init
}

const CONNECTED = {
  mcp_servers: [{ name: 'plugin:plexus:plexus', status: 'connected' }],
  tools: expect.arrayContaining(['mcp__plugin_plexus_plexus__claude_start']) as string[],
  skills: expect.arrayContaining(['plexus:supervise']) as string[],
}
const WAITS = { MCP_CONNECTION_NONBLOCKING: '0' }

test('the plugin, from a folder, gives the CLI its server and its skill', async () => {
  const place = await hubPlace({ scenario: { main: [say('Hello.')] }, env: { ...withNode(), ...WAITS } })
  const folder = join(await temporaryFolder(), 'plexus')
  await cp(paths.plugin, folder, { recursive: true })
  expect(await initOf(place, '--plugin-dir', folder)).toMatchObject(CONNECTED)
})

const TRY = 'mcp__plugin_plexus_plexus__claude_start'
const isFinished = (event: SessionEvent): event is EventOf<'tool.finished'> => event.type === 'tool.finished'

test('S1: the plugin, installed from its marketplace, gives the CLI its server, and a session of Plexus nothing to act for its user with', async () => {
  const main = [say('Hello.')]
  const place = await hubPlace({ scenario: { main }, env: { ...withNode(), ...WAITS } })
  const marketplace = join(await temporaryFolder(), 'marketplace')
  await cp(paths.marketplace, marketplace, { recursive: true })
  await claude(place, ['plugin', 'marketplace', 'add', marketplace])
  await claude(place, ['plugin', 'install', 'plexus@plexus'])
  expect(await initOf(place)).toMatchObject(CONNECTED)
  expect(await claude(place, ['plugin', 'details', 'plexus'])).toMatch(/MCP servers \(1\) +plexus/)

  const config = join(place.folder, 'config/settings.json')
  const settings = JSON.parse(await readFile(config, 'utf8')) as object
  const allow = ['mcp__plugin_plexus_plexus']
  await writeFile(config, JSON.stringify({ ...settings, permissions: { allow } }))
  main.unshift(tools(use(TRY, { prompt: 'Below.' })))
  const hub = await place.start()
  const { id: sessionId } = await hub.call<Session>('createSession', {
    options: { workingDirectory: place.project },
    content: 'Start another.',
  })
  place.sessions.add(sessionId)
  await hub.call('waitFor', { sessionIds: [sessionId], seconds: 50 })
  const { events } = await hub.call<Page>('readEvents', { sessionId, limit: 1_000 })
  const tried = events.map(({ event }) => event).filter(isFinished)
  expect(tried).toMatchObject([
    { isError: true, content: expect.stringMatching(/forbidden.*inside session|No such tool/s) as string },
  ])
  expect(await hub.call<Session[]>('listSessions')).toHaveLength(1)
})
