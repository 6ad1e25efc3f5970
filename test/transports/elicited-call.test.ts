import { expect, test } from 'vitest'
import { aFamily, CHILD, QUESTION } from '../rig/family.ts'
import { pairedClient } from '../rig/mcp-pair.ts'
import { ALLOW, answering } from '../rig/people.ts'

test('what a person allows is allowed, also where a session above was to answer', async () => {
  const { app, store, project } = await aFamily()
  const { person, shown } = answering(ALLOW)
  const served = { as: () => app.engine, project, parts: { errors: [] } }
  const client = await pairedClient('2026', served, { person })
  const texts = await client.texts('claude_status', { sessionId: CHILD, waitSeconds: 0.1 })
  expect(shown).toHaveLength(1)
  expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'allowed', by: 'a person at test' })
  expect(texts).toHaveLength(1)
})
