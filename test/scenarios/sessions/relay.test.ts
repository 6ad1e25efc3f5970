import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Approval } from '../../../src/approvals/approval.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { askingChild } from '../../rig/cli/asking-child.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'

const ASKED = { tool_name: 'Bash', input: { command: 'touch x' }, tool_use_id: 'toolu_1' }

/** A claude of somebody else that waits for an answer. */
async function waiting(place: HubPlace) {
  const hub = await place.start()
  const child = await askingChild((method, params) => hub.call(method, params), {
    working_dir: place.project,
  })
  const asking = child.permit(ASKED)
  asking.catch(() => {})
  const question = await pendingAt(hub)
  return { hub, child, asking, question }
}

function pendingAt(hub: Hub): Promise<PendingQuestion> {
  return eventually(async () => {
    const [question] = await hub.call<PendingQuestion[]>('pending', {})
    return question ?? Promise.reject(new Error('Nothing is asked.'))
  })
}

/** How a question stands, when the hub has gone. */
async function rowOf(place: HubPlace, hub: Hub, id: string): Promise<Approval | undefined> {
  await hub.kill('SIGTERM')
  const store = await openSqliteStore(join(place.home, 'plexus.db'))
  const row = await store.approvals.get(id)
  await store.close()
  return row
}

const withdrawn = (hub: Hub) =>
  eventually(async () => expect(await hub.call<PendingQuestion[]>('pending', {})).toEqual([]))

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'S19: a question through the relay outlives a hub that is ended by %s, and is the same one for the next',
  async (signal) => {
    const place = await hubPlace()
    const { hub, asking, question } = await waiting(place)
    await hub.kill(signal)
    const next = await place.start('--port', '0')
    await next.call('answer', { approvalId: question.id, answers: ['allow'] })
    expect(JSON.parse((await asking).text)).toEqual({ behavior: 'allow', updatedInput: ASKED.input })
    expect(await next.call('pending', {})).toEqual([])
  },
)

test('whoever cancels through the relay takes the question back, and can ask again', async () => {
  const place = await hubPlace()
  const { hub, child, question } = await waiting(place)
  child.cancel()
  await withdrawn(hub)
  const again = child.permit({ ...ASKED, tool_use_id: 'toolu_2' })
  const next = await pendingAt(hub)
  await hub.call('answer', { approvalId: next.id, answers: ['deny'] })
  expect(JSON.parse((await again).text)).toMatchObject({ behavior: 'deny' })
  expect(await rowOf(place, hub, question.id)).toMatchObject({ status: 'withdrawn' })
})

test('the relay ends with its client, and takes back what it has asked', async () => {
  const place = await hubPlace()
  const { hub, child, question } = await waiting(place)
  await child.end()
  await withdrawn(hub)
  expect(await rowOf(place, hub, question.id)).toMatchObject({ status: 'withdrawn' })
})

test('the relay offers what the session may do: to ask, and nothing else', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const child = await askingChild((method, params) => hub.call(method, params), {
    working_dir: place.project,
  })
  expect(await child.tools()).toEqual(['loopback_permit'])
})
