import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { nodePath } from '../../scripts/fetched-node.mjs'
import { newerNpm, NODES, OLD_NODES, results } from '../../scripts/package-runs.mjs'
import type { StatusView } from '../../src/api/claude/status-view.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { cliVersion, temporaryFolder } from '../rig/cli/real-cli.ts'
import { hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import { npmRegistry } from './npm-registry.ts'
import { npmEnvironment, npmProgram, runWith } from './with-node.ts'

const COMMAND = 'echo hello > greeting.txt'
const scenario = { main: [tools(use('Bash', { command: COMMAND })), say('The greeting is written.')] }

/** The tools of `npx plexus-mcp mcp`, called by a client that others wrote. */
async function mcpByNpx(version: string, env: Record<string, string>, place: HubPlace) {
  const args = [npmProgram('npx'), '--yes', manifest.name, 'mcp']
  const server = { command: nodePath(version), args, env, cwd: place.project, stderr: 'pipe' as const }
  const transport = new StdioClientTransport(server)
  transport.stderr?.on('data', (text: Buffer) => (place.stderr += text.toString()))
  const client = new Client({ name: 'package', version: '0' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const call = async <T>(name: string, input: object) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...input } })
    return structuredContent as T
  }
  return { client, call }
}

describe.each(NODES)('Node %s', (version) => {
  test('npx runs the package: a session asks, its hub is killed, the next one has the question, and the answer counts', async () => {
    const place = await hubPlace({ scenario })
    place.startsHubs()
    const registry = await npmRegistry()
    const env = await npmEnvironment(place, version, registry)
    const npx = (...args: string[]) =>
      runWith(version, [npmProgram('npx'), '--yes', manifest.name, ...args], { env, cwd: place.project })

    expect(await npx('--version')).toMatchObject({ stdout: `${manifest.version}\n`, exitCode: 0 })
    const bare = await npx()
    expect(bare).toMatchObject({ exitCode: 2, stdout: '' })
    expect(bare.stderr).toContain('plexus mcp')

    const { client, call } = await mcpByNpx(version, env, place)
    expect((await client.listTools()).tools).toHaveLength(6)
    const { sessionId } = await call<StatusView>('claude_start', { prompt: 'Write a greeting.', name: 'web' })
    place.sessions.add(sessionId)
    const asked = await call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(asked).toMatchObject({
      status: 'awaiting_input',
      pendingQuestion: { input: { command: COMMAND } },
    })
    expect(existsSync(join(place.project, 'greeting.txt'))).toBe(false)

    const hub = (await place.running())?.pid ?? 0
    expect(await readlink(`/proc/${hub}/exe`)).toBe(nodePath(version))
    const loadsAddon = (await readFile(`/proc/${hub}/maps`, 'utf8')).includes('/dist/sqlite/')
    expect(loadsAddon).toBe(version.startsWith('20.'))
    process.kill(hub, 'SIGKILL')
    const again = await call<StatusView>('claude_status', { sessionId })
    expect(again.pendingQuestion?.id).toBe(asked.pendingQuestion?.id)
    expect((await place.running())?.pid).not.toBe(hub)
    expect(await npx('pending')).toMatchObject({ stdout: expect.stringContaining(COMMAND) as string })
    await call('claude_respond', { sessionId, id: asked.pendingQuestion?.id, answers: ['allow'] })
    const done = await call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'The greeting is written.' })
    expect(existsSync(join(place.project, 'greeting.txt'))).toBe(true)

    expect(new Set(registry.requests)).toEqual(new Set([`/${manifest.name}`, '/package.tgz']))
    await mkdir(results, { recursive: true })
    const run = {
      platform: `${process.platform} ${process.arch}`,
      node: version,
      sqlite: loadsAddon ? 'of the package' : 'of Node',
      cli: cliVersion(),
    }
    await writeFile(join(results, `${version}-${run.cli}.json`), JSON.stringify(run))
  })
})

test('npm installs it without a warning, also the one that blocks install scripts', async () => {
  const place = await hubPlace()
  const [version = ''] = NODES.slice(-1)
  const env = await npmEnvironment(place, version, await npmRegistry())
  for (const npm of [npmProgram('npm'), newerNpm]) {
    const cwd = await temporaryFolder()
    const installed = await runWith(version, [npm, 'install', '--prefix', cwd, manifest.name], { env, cwd })
    expect(installed).toMatchObject({ exitCode: 0, stderr: '' })
    expect(installed.stdout).toMatch(/^\s*added 1 package in/)
  }
})

test.each(OLD_NODES)('Node %s is refused in one sentence, whatever is asked', async (version) => {
  const place = await hubPlace()
  const env = await npmEnvironment(place, NODES[0] ?? '', await npmRegistry())
  const install = [npmProgram('npm'), 'install', '--prefix', place.project, manifest.name]
  await runWith(NODES[0] ?? '', install, { env, cwd: place.project })
  const program = join(place.project, 'node_modules', manifest.name, 'dist/main.js')
  const sentence = `plexus: Plexus needs Node 20.19 or later, and this is Node ${version}; install a newer one.\n`
  for (const args of [[], ['mcp'], ['--version']])
    expect(await runWith(version, [program, ...args], { env, cwd: place.project })).toEqual({
      stdout: '',
      stderr: sentence,
      exitCode: 2,
    })
})
