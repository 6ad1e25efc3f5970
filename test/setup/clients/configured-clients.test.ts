import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENT_NAMES, clientNamed } from '../../../src/setup/clients/client-table.ts'
import { onlyEntry } from '../../../src/setup/clients/client-entry.ts'
import { configuredClients, fileOf } from '../../../src/setup/clients/configured-clients.ts'
import { ownCommand } from '../../../src/setup/clients/own-command.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const program = { node: '/bin/node', file: '/plexus/dist/main.js' }
const own = ownCommand(program)

function entryOf(name: string, first: string, ...rest: string[]): string {
  const client = clientNamed(name)
  return onlyEntry(client, client.entry([first, ...rest]))
}

test.each([
  ['claude-code', {}, 'linux', '/me/.claude.json'],
  ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, 'linux', '/c/.claude.json'],
  ['claude-desktop', {}, 'linux', '/me/.config/Claude/claude_desktop_config.json'],
  ['claude-desktop', {}, 'darwin', '/me/Library/Application Support/Claude/claude_desktop_config.json'],
  ['cursor', {}, 'darwin', '/me/.cursor/mcp.json'],
  ['vscode', { XDG_CONFIG_HOME: '/x' }, 'linux', '/x/Code/User/mcp.json'],
  ['vscode', {}, 'darwin', '/me/Library/Application Support/Code/User/mcp.json'],
  ['codex', {}, 'linux', '/me/.codex/config.toml'],
  ['codex', { CODEX_HOME: '/cx' }, 'darwin', '/cx/config.toml'],
  ['gemini', {}, 'linux', '/me/.gemini/settings.json'],
  ['gemini', { GEMINI_CLI_HOME: '/g' }, 'linux', '/g/.gemini/settings.json'],
  ['opencode', {}, 'darwin', '/me/.config/opencode/opencode.json'],
] as const)('%s with %j on %s has its servers in %s', (name, env, platform, file) => {
  expect(fileOf(clientNamed(name), { env: { HOME: '/me', ...env }, platform })).toBe(file)
})

test.each([
  ['claude-code', { mcpServers: { plexus: { type: 'stdio', command: own[0], args: own.slice(1) } } }],
  ['claude-desktop', { mcpServers: { plexus: { command: own[0], args: own.slice(1) } } }],
  ['cursor', { mcpServers: { plexus: { command: own[0], args: own.slice(1) } } }],
  ['vscode', { servers: { plexus: { type: 'stdio', command: own[0], args: own.slice(1) } } }],
  ['gemini', { mcpServers: { plexus: { command: own[0], args: own.slice(1), timeout: 60_000 } } }],
  ['opencode', { mcp: { plexus: { type: 'local', command: own, timeout: 60_000 } } }],
])('the entry of %s has the form of that client', (name, form) => {
  const client = clientNamed(name)
  expect(JSON.parse(onlyEntry(client, client.entry(own)))).toEqual(form)
})

test('the entry of codex is a table', () => {
  const client = clientNamed('codex')
  expect(onlyEntry(client, client.entry(own))).toBe(
    '[mcp_servers.plexus]\ncommand = "/bin/node"\nargs = [ "/plexus/dist/main.js", "mcp" ]\ntool_timeout_sec = 60\n',
  )
})

test('each client is absent, configured, has another program, or cannot be read', async () => {
  const env = { HOME: await temporaryFolder() }
  const states = async () =>
    (await configuredClients(env, { platform: 'linux', program })).map(({ state }) => state)
  const write = async (name: string, text: (name: string) => string) => {
    const file = fileOf(clientNamed(name), { env, platform: 'linux' })
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text(name))
  }
  expect(await states()).toEqual(CLIENT_NAMES.map(() => 'absent'))
  for (const name of CLIENT_NAMES) await write(name, (each) => entryOf(each, ...own, '--as', each))
  expect(await states()).toEqual(CLIENT_NAMES.map(() => 'configured'))
  for (const name of CLIENT_NAMES) await write(name, (each) => entryOf(each, 'node', '/old/main.js', 'mcp'))
  expect(await states()).toEqual(CLIENT_NAMES.map(() => 'other'))
  for (const name of CLIENT_NAMES) await write(name, () => '{ "a = ')
  expect(await states()).toEqual(CLIENT_NAMES.map(() => 'unreadable'))
})

test('of two files of a client the one with our entry counts', async () => {
  const env = { HOME: await temporaryFolder() }
  const opencode = clientNamed('opencode')
  const folder = join(env.HOME, '.config/opencode')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'opencode.json'), onlyEntry(opencode, opencode.entry(own)))
  await writeFile(join(folder, 'opencode.jsonc'), '{ /* mine */ }')
  expect(fileOf(opencode, { env, platform: 'linux' })).toBe(join(folder, 'opencode.json'))
  await writeFile(join(folder, 'opencode.json'), '{}')
  expect(fileOf(opencode, { env, platform: 'linux' })).toBe(join(folder, 'opencode.jsonc'))
})

test('the package that npx would fetch is the one in package.json', async () => {
  const root = join(import.meta.dirname, '../../..')
  const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { name: string }
  const cached = { node: '/bin/node', file: '/me/.npm/_npx/12ab/node_modules/plexus-mcp/dist/main.js' }
  expect(ownCommand(cached, { as: 'editor', ask: 'both' })).toEqual([
    'npx',
    '-y',
    name,
    'mcp',
    '--as',
    'editor',
    '--ask',
    'both',
  ])
})
