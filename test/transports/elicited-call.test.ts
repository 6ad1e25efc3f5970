/** What people at clients are asked, without a process of the CLI: a session waits whose parent is at work. */
import { expect, test } from 'vitest'
import { say } from '../../src/api/claude/say.ts'
import { eventually } from '../rig/eventually.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../rig/family.ts'
import type { ClientKind, Person } from '../rig/mcp-clients.ts'
import { pairedClient } from '../rig/mcp-pair.ts'
import { ALLOW, answering } from '../rig/people.ts'

async function aClient(kind: ClientKind, person: Person) {
  const { app, store, project } = await aFamily()
  const served = { as: () => app.engine, project, parts: { errors: [] } }
  return { store, client: await pairedClient(kind, served, { person }) }
}

test('what a person allows is allowed, also where a session above was to answer', async () => {
  const { person, shown } = answering(ALLOW)
  const { store, client } = await aClient('2026', person)
  const texts = await client.texts('claude_status', { sessionId: CHILD, waitSeconds: 0.1 })
  expect(shown).toHaveLength(1)
  expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'allowed', by: 'a person at test' })
  expect(texts).toHaveLength(1)
})

test('a person is asked about what was open already when their client first looked, and did not wait', async () => {
  const { person, shown } = answering(ALLOW)
  const { store, client } = await aClient('sdk 1', person)
  const look = await client.call('claude_status', { sessionId: CHILD, waitSeconds: 0 })
  expect(look).toMatchObject({ status: 'awaiting_input' })
  await eventually(async () =>
    expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'allowed', by: 'a person at test' }),
  )
  expect(shown).toHaveLength(1)
})

test('what is said to a session tells of that one, whoever below it has been answered meanwhile', async () => {
  const { app } = await aFamily()
  const sessionId = CALLERS.parent.name
  const context = { engine: app.engine, who: { caller: CALLERS.operator } }
  const told = await say.again(context, { sessionId, message: 'go on' }, CHILD)
  expect(told).toMatchObject({ sessionId })
})
