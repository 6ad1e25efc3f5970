/** Waits that are longer than what cuts others off. Not part of `npm test`: `npm run test:long`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { PendingQuestion, PermitConfig } from '../../src/engine/engine.ts'
import type { Session } from '../../src/sessions/session.ts'
import { type Hub, hubPlace } from '../rig/hub.ts'
import { connected, startPipedCliIn } from '../rig/piped-cli.ts'

const MINUTE = 60_000
const SCENARIO = { main: [tools(use('Bash', { command: 'echo x >> made' })), say('done')] }

/** Lets the question of the one session wait, then allows it. */
async function allowAfter(hub: Hub, ms: number): Promise<void> {
  await hub.call('waitFor', { seconds: 50 })
  const [before] = await hub.call<PendingQuestion[]>('pending', {})
  await sleep(ms)
  const [after] = await hub.call<PendingQuestion[]>('pending', {})
  expect(after?.id).toBe(before?.id)
  await hub.call('answer', { approvalId: after?.id, answers: ['allow'] })
}

describe.concurrent('R17', () => {
  test.each([
    ['control', 15],
    ['mcp', 7],
  ] as const)('a child that asks by %s waits %i minutes for its answer', async (carrier, minutes) => {
    const place = await hubPlace({ scenario: SCENARIO })
    const hub = await place.start()
    const options = { workingDirectory: place.project, carrier }
    const { id } = await hub.call<Session>('createSession', { options, timeoutMs: 0 })
    place.sessions.add(id)
    await hub.call('startTurn', { sessionId: id, content: 'go' })
    await allowAfter(hub, minutes * MINUTE)
    expect(await hub.call('waitFor', { sessionIds: [id], seconds: 50 })).toMatchObject([{ status: 'done' }])
    expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('x\n')
  })

  test('a claude that somebody else has started waits 7 minutes for its answer', async () => {
    const place = await hubPlace({ scenario: SCENARIO })
    const hub = await place.start()
    const { id } = await hub.call<Session>('createSession', { options: { carrier: 'mcp' }, timeoutMs: 0 })
    const { mcpConfig, args } = await hub.call<PermitConfig>('permitConfig', { sessionId: id })
    const file = join(place.folder, 'mcp.json')
    await writeFile(file, JSON.stringify(mcpConfig), { mode: 0o600 })
    const there = { home: place.folder, cwd: place.project }
    const cli = await startPipedCliIn(there, place.model.url, `--mcp-config=${file}`, ...args)
    await connected(cli)
    cli.say('go')
    await allowAfter(hub, 7 * MINUTE)
    expect(await cli.result()).toMatchObject({ result: 'done' })
    expect(await readFile(join(place.project, 'made'), 'utf8')).toBe('x\n')
  })
})
