import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROTECTION } from '../../../src/child/launch/protection-level.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { type Sessions, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (input: object) => tools(use('Bash', input))
const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type)

/** Another hub, for which the process of this session is one of an earlier version. */
async function upgrade(all: Sessions, sessionId: string): Promise<void> {
  const { runId } = await all.event(sessionId, 'run.started')
  await all.crash()
  await writeFile(join(all.folder, 'home/runs', runId, 'protection'), String(PROTECTION - 1))
  await all.open()
}

test('R28: a process with less protection is named once, whichever hub comes; one of today never is', async () => {
  const main = [bash({ command: 'touch a' }), say('done')]
  const all = await startSessions({ store: 'sqlite', scenario: { main } })
  const [{ id }, { id: other }] = [await all.start('go'), await all.start('go')]
  for (const one of [id, other]) await all.question(one)
  await upgrade(all, id)
  expect(await all.event(id, 'run.outdated')).toMatchObject({
    protection: PROTECTION - 1,
    needed: PROTECTION,
  })
  expect(await all.get(id)).toMatchObject({ status: 'waiting', outdated: { needed: PROTECTION } })
  await all.crash()
  await all.open()
  await all.allow(id, await all.event(id, 'approval.opened'))
  expect(await all.event(id, 'run.ended')).toMatchObject({ stopped: true })
  expect(await all.get(id)).toMatchObject({ status: 'done', turn: 1 })
  expect(await all.get(id)).not.toHaveProperty('outdated')
  expect(typesOf(await all.events(id)).filter((type) => type === 'run.outdated')).toHaveLength(1)
  expect(typesOf(await all.events(other))).not.toContain('run.outdated')
})

test('R28: a process with less protection runs until its command in the background is over and its end was reported', async () => {
  const command = 'until [ -e go ]; do sleep 0.05; done'
  const main = [bash({ command, run_in_background: true }), say('begun'), say('told')]
  const all = await startSessions({ store: 'sqlite', scenario: { main } })
  const { id } = await all.start('go')
  all.allowAll(id)
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 1 })
  await upgrade(all, id)
  await all.event(id, 'run.outdated')
  await writeFile(join(all.project, 'go'), '')
  expect(await all.event(id, 'turn.ended', 2)).toMatchObject({ outcome: 'done', result: 'told' })
  expect(await all.event(id, 'run.ended')).toMatchObject({ stopped: true })
  expect(await all.get(id)).toMatchObject({ status: 'done', turn: 2 })
})
