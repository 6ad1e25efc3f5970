import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { PermitConfig } from '../../../src/sessions/launch/outside-command.ts'
import { findHub } from '../../rig/hubs/find-hub.ts'
import { createRemoteEngine } from '../../../src/hub-client/remote-engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { ME } from '../../rig/hubs/engines.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'
import { connected, startPipedCliIn } from '../../rig/cli/piped-cli.ts'
import { cliPath } from '../../rig/cli/real-cli.ts'

const run = promisify(execFile)
const bash = (command: string) => tools(use('Bash', { command }))

async function allowNext(hub: Hub): Promise<void> {
  await hub.call('waitFor', { seconds: 50 })
  const [question] = await hub.call<PendingQuestion[]>('pending', { sessionId: 'outside' })
  await hub.call('answer', { approvalId: question?.id, answers: ['allow'] })
}

test('a claude that somebody else starts asks at the hub, as the session that it was given', async () => {
  const place = await hubPlace({
    scenario: { main: [tools(use('Bash', { command: 'echo x >> made' })), say('done')] },
  })
  const hub = await place.start()
  const { id } = await hub.call<Session>('createSession', { options: { name: 'outside', carrier: 'mcp' } })
  const { mcpConfig, args } = await hub.call<PermitConfig>('permitConfig', { sessionId: 'outside' })
  const file = join(place.folder, 'mcp.json')
  await writeFile(file, JSON.stringify(mcpConfig), { mode: 0o600 })
  const there = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(there, place.model.url, `--mcp-config=${file}`, ...args)
  // It must be connected before its first message.
  cli.write({ type: 'control_request', request_id: 'status', request: { subtype: 'mcp_status' } })
  await cli.line(({ type }) => type === 'control_response')
  cli.say('go')
  const [session] = await hub.call<Session[]>('waitFor', { seconds: 50 })
  expect(session).toMatchObject({ id, status: 'waiting' })
  const [question] = await hub.call<PendingQuestion[]>('pending', { sessionId: id })
  expect(question).toMatchObject({ toolName: 'Bash', carrier: 'mcp' })
  await hub.call('answer', { approvalId: question?.id, answers: ['allow'] })
  expect(await cli.result()).toMatchObject({ result: 'done' })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('x\n')
  expect(await hub.call<Session>('getSession', { sessionId: id })).toMatchObject({ status: 'idle' })
  const control = await hub.call<Session>('createSession', { options: {} })
  const refused = hub.call('permitConfig', { sessionId: control.id })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
})

test('it asks at the next hub too, which has the port of the one that was killed', async () => {
  const main = [bash('echo 1 >> made'), say('one'), bash('echo 2 >> made'), say('two')]
  const place = await hubPlace({ scenario: { main } })
  const hub = await place.start()
  await hub.call<Session>('createSession', { options: { name: 'outside', carrier: 'mcp' } })
  const { mcpConfig, args } = await hub.call<PermitConfig>('permitConfig', { sessionId: 'outside' })
  const file = join(place.folder, 'mcp.json')
  await writeFile(file, JSON.stringify(mcpConfig), { mode: 0o600 })
  const there = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(there, place.model.url, `--mcp-config=${file}`, ...args)
  await connected(cli)
  cli.say('go')
  await allowNext(hub)
  expect(await cli.result()).toMatchObject({ result: 'one' })
  await hub.kill('SIGKILL')
  const next = await place.start()
  expect(next.url).toBe(hub.url)
  cli.say('more')
  await allowNext(next)
  expect(await cli.result(2)).toMatchObject({ result: 'two' })
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('1\n2\n')
})

test('the command line gives the line for a terminal, and starts a hub where there is none', async () => {
  const place = await hubPlace({ scenario: { main: [bash('echo x >> made'), say('done')] } })
  place.startsHubs()
  const env = { ...place.env, PLEXUS_HOME: place.home }
  const plexus = [programPath('plexus'), 'configure', '--name', 'outside']
  const { stdout: line } = await run(process.execPath, plexus, { env, cwd: place.project })
  await mkdir(join(place.folder, 'bin'))
  await symlink(cliPath(), join(place.folder, 'bin/claude'))
  const PATH = `${join(place.folder, 'bin')}:${place.env['PATH']}`
  const terminal = run('/bin/sh', ['-c', `${line.trim()} -p go`], {
    env: { ...place.env, PATH },
    cwd: place.project,
  })
  const hub = createRemoteEngine({ find: () => findHub(place.home) })
  onTestFinished(() => hub.close())
  await hub.waitFor(ME, { seconds: 50 })
  const [question] = await hub.pending(ME, { sessionId: 'outside' })
  await hub.answer(ME, { approvalId: question?.id ?? '', answers: ['allow'] })
  expect((await terminal).stdout.trim()).toBe('done')
  expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('x\n')
  const again = await run(process.execPath, [...plexus, '--json'], { env, cwd: place.project })
  expect(JSON.parse(again.stdout)).toMatchObject({
    type: 'ok',
    args: [expect.stringContaining('loopback_permit'), expect.stringContaining('deniedMcpServers')],
  })
  const wrong = run(process.execPath, [...plexus.slice(0, 2), '--name', ''], { env, cwd: place.project })
  await expect(wrong).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^plexus: .*name/) as string,
  })
})
