import { expect, test } from 'vitest'
import { anApproval, aStep } from '../../contracts/rows.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

async function decidedFamily() {
  const { app, store } = await aFamily()
  const grandparent = asSessionId(CALLERS.grandparent.name)
  const above = anApproval({ id: 'above', sessionId: grandparent, status: 'denied', openedAt: 1 })
  await store.journal.append(aStep(0, { sessionId: grandparent, opened: [above] }))
  await app.engine.answer({ caller: CALLERS.operator }, { approvalId: QUESTION, answers: ['deny'] })
  return { engine: app.engine, grandparent }
}

const idsOf = (decided: readonly { id: string }[]) => decided.map(({ id }) => id)

test('the decisions of a session with all below it are one list, newest question first', async () => {
  const { engine, grandparent } = await decidedFamily()
  const call = { caller: CALLERS['device that reads'] }
  expect(idsOf(await engine.decisions(call, { sessionId: grandparent }))).toEqual(['above'])
  const tree = await engine.decisions(call, { sessionId: grandparent, below: true })
  expect(idsOf(tree).toSorted()).toEqual([QUESTION, 'above'].toSorted())
  const last = tree.at(-1)?.id
  const [first] = await engine.decisions(call, { sessionId: grandparent, below: true, limit: 1 })
  const rest = await engine.decisions(call, { sessionId: grandparent, below: true, before: first?.id })
  expect(idsOf(rest)).toEqual([last])
  expect(idsOf(await engine.decisions(call, { sessionId: CHILD, below: true }))).toEqual([QUESTION])
})
