import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { PendingQuestion, PermitConfig } from '../../src/engine/engine.ts'
import type { Session } from '../../src/sessions/session.ts'
import { hubPlace } from '../rig/hub.ts'
import { startPipedCliIn } from '../rig/piped-cli.ts'

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
