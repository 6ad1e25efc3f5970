/** What the page for MCP clients has users write is what works. */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../../src/api/operations.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { connected, startPipedCliIn } from '../../rig/cli/piped-cli.ts'
import { cliPath } from '../../rig/cli/real-cli.ts'

const PAGE = join(import.meta.dirname, '../../../docs/MCP.md')
const Servers = z.record(z.string(), z.object({ command: z.string(), args: z.array(z.string()) }))
const Config = z.union([z.object({ mcpServers: Servers }), z.object({ servers: Servers })])

const call = (name: string, input: object) => tools(use(`mcp__plexus__${name}`, input))

/** The blocks of this language below the heading about clients. */
async function blocks(language: string): Promise<string[]> {
  const [, section = ''] = (await readFile(PAGE, 'utf8')).split('\n## By hand\n')
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )
}

test('the files for Claude Desktop, Cursor and VS Code start a server with the six tools', async () => {
  const files = (await blocks('json')).slice(1).map((text) => Config.parse(JSON.parse(text)))
  expect(files).toHaveLength(2)
  const place = await hubPlace()
  for (const file of files) {
    const servers = 'servers' in file ? file.servers : file.mcpServers
    const { command = '', args = [] } = servers['plexus'] ?? {}
    expect([command, args[0]]).toEqual(['node', '/path/to/plexus/dist/main.js'])
    const client = new Client({ name: 'test', version: '0' })
    onTestFinished(() => client.close())
    const real = [programPath('plexus'), ...args.slice(1)]
    await client.connect(new StdioClientTransport({ command: process.execPath, args: real, env: place.env }))
    expect((await client.listTools()).tools).toHaveLength(6)
  }
})

test('the command for Claude Code adds the server, and a tool call of a session is asked and allowed', async () => {
  const [add = ''] = await blocks('sh')
  expect(add).toMatch(/^claude mcp add --scope user plexus -- node "\$PWD\/dist\/main.js" mcp\n$/)
  let childSaid = 0
  const place = await hubPlace({
    scenario: {
      main: ({ body, toolResults }) => {
        const [last] = toolResults.slice(-1)
        if (!JSON.stringify(body.messages).includes('Use plexus'))
          return childSaid++ === 0
            ? tools(use('Bash', { command: 'echo hello > greeting.txt' }))
            : say('done')
        if (!last) return call('claude_start', { prompt: 'greet', workingDirectory: place.project })
        const { sessionId, status, pendingQuestion } = JSON.parse(last.text) as {
          sessionId: string
          status: string
          pendingQuestion?: { id: string }
        }
        if (pendingQuestion)
          return call('claude_respond', { sessionId, id: pendingQuestion.id, answers: ['allow'] })
        return status === 'active' ? call('claude_status', { sessionId }) : say(`It is ${status}.`)
      },
    },
  })
  place.startsHubs()
  // As in a checkout, with the programs that a user has.
  const [checkout, bin] = [join(place.folder, 'plexus'), join(place.folder, 'bin')]
  for (const folder of [checkout, bin]) await mkdir(folder)
  await symlink(dirname(programPath('plexus')), join(checkout, 'dist'))
  await symlink(cliPath(), join(bin, 'claude'))
  await symlink(process.execPath, join(bin, 'node'))
  const env = { ...place.env, PATH: `${bin}:${place.env['PATH']}`, PLEXUS_HOME: place.home }
  execFileSync('/bin/sh', ['-eu', '-c', add], { cwd: checkout, env })
  // In another folder than it was added in, with the rules of the page and with what it leaves to the user.
  const config = place.env['CLAUDE_CONFIG_DIR'] ?? ''
  await writeFile(join(config, 'settings.json'), (await blocks('json'))[0] ?? '')
  const parent = await startPipedCliIn(
    { home: place.folder, cwd: place.project, env },
    place.model.url,
    '--allowedTools=mcp__plexus__claude_start',
    '--allowedTools=mcp__plexus__claude_respond',
  )
  await connected(parent)
  parent.onForm({ action: 'cancel' })
  parent.say('Use plexus to greet.')
  expect(await parent.result()).toMatchObject({ result: 'It is done.' })
  expect(await readFile(join(place.project, 'greeting.txt'), 'utf8')).toBe('hello\n')
})

test('the rules of the page name tools that there are, and none that decides or continues a session', async () => {
  const [text = ''] = await blocks('json')
  const { permissions } = JSON.parse(text) as { permissions: { allow: string[] } }
  const names = OPERATIONS.map(({ name }) => `mcp__plexus__${name}`)
  for (const rule of permissions.allow) {
    expect(names).toContain(rule)
    expect(rule).not.toMatch(/claude_(say|respond)$/)
  }
})

test('over HTTP there are as many tools as the page says', async () => {
  expect(await readFile(PAGE, 'utf8')).toContain(`${OPERATIONS.length} tools;`)
})
