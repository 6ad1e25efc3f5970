/** Waits that are longer than what cuts others off. Each has a file of its own, so that they go side by side. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'

const MINUTE_MS = 60_000

export function waitingPlace(): Promise<HubPlace> {
  return hubPlace({
    scenario: { main: [tools(use('Bash', { command: 'echo x >> made' })), say('done')] },
  })
}

/** Lets the question of the one session wait, then allows it. */
export async function allowAfter(hub: Hub, minutes: number): Promise<void> {
  await hub.call('waitFor', { seconds: 50 })
  const [before] = await hub.call<PendingQuestion[]>('pending', {})
  await sleep(minutes * MINUTE_MS)
  const [after] = await hub.call<PendingQuestion[]>('pending', {})
  expect(after?.id).toBe(before?.id)
  await hub.call('answer', { approvalId: after?.id, answers: ['allow'] })
}

export async function hasRunOnce({ project }: HubPlace): Promise<void> {
  expect(await readFile(join(project, 'made'), 'utf8')).toBe('x\n')
}

/** A child of ours asks, waits, and goes on. */
export async function childWaits(carrier: 'control' | 'mcp', minutes: number): Promise<Session[]> {
  const place = await waitingPlace()
  const hub = await place.start()
  const options = { workingDirectory: place.project, carrier }
  const { id } = await hub.call<Session>('createSession', { options, timeoutMs: 0 })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  await allowAfter(hub, minutes)
  const ended = await hub.call<Session[]>('waitFor', { sessionIds: [id], seconds: 50 })
  await hasRunOnce(place)
  return ended
}
