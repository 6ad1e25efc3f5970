import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { PendingQuestion, CallContext } from '../../../src/engine/engine.ts'
import type { Decision } from '../../../src/events/decision.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { aFamily, CALLERS, type Family } from '../../rig/clients/family.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const operator = { caller: CALLERS.operator }
const owner = { caller: CALLERS.owner }
const never = new AbortController().signal
const childOf = (id: string): Caller => ({
  id: asCallerId(`session ${id}`),
  kind: 'session',
  name: id,
  scopes: [],
  person: false,
})

/** Sessions that ask, and what they were answered, by command. */
function askersIn({ app, project }: Family) {
  const decisions = new Map<string, Decision>()
  return {
    decisions,
    create: async (call: CallContext = operator) => {
      const options = StartOptions.parse({ workingDirectory: project, carrier: 'mcp' })
      return (await app.engine.createSession(call, { options })).id
    },
    ask: async (id: string, n: number) => {
      const command = `echo ${id} ${n}`
      const question = { toolName: 'Bash', input: { command }, toolUseId: `toolu_${n}` }
      decisions.set(command, await app.engine.ask({ caller: childOf(id) }, question, never))
    },
  }
}

test('R13 S12 S35: of 16 sessions of two owners that ask 64 questions each a thousand are open, visible and answered in any order, and the rest is queued', async () => {
  const family = await aFamily()
  const { engine } = family.app
  const { decisions, create, ask } = askersIn(family)
  const ids: string[] = []
  for (let n = 0; n < 16; n++) ids.push(await create(n % 2 === 0 ? operator : owner))
  const asked = ids.flatMap((id) => Array.from({ length: 64 }, (_, n) => ask(id, n)))
  const openNow = async () =>
    (await engine.pending(operator, {})).filter(({ sessionId }) => ids.includes(sessionId))
  // The child of the family has asked too. In each of the eight sessions of a person one question stands for what is held back.
  await eventually(async () => expect(await family.store.approvals.pendingIds()).toHaveLength(1_033))
  expect(decisions.size).toBe(0)
  const answered: PendingQuestion[] = []
  for (const room of [1_000, 24]) {
    const open = await eventually(async () => {
      const now = await openNow()
      expect(now).toHaveLength(room)
      return now
    })
    for (const one of open.toSorted((a, b) => a.id.localeCompare(b.id))) {
      const answers = [answered.push(one) % 2 === 0 ? 'allow' : 'deny']
      await engine.answer(operator, { approvalId: one.id, answers })
    }
  }
  await Promise.all(asked)
  expect(decisions.size).toBe(1_024)
  for (const [at, { input }] of answered.entries())
    expect(decisions.get(String(input['command']))).toMatchObject(
      at % 2 === 1 ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny' },
    )
})

test('S35: whoever waits is woken by a question when its turn has come, not before, and its time begins then', async () => {
  const family = await aFamily()
  const { engine } = family.app
  const { create, ask } = askersIn(family)
  const wild = await Promise.all(Array.from({ length: 8 }, () => create(owner)))
  const calm = await create(owner)
  for (const id of wild) for (let n = 0; n < 63; n++) void ask(id, n)
  await eventually(async () => {
    const open = await engine.pending(operator, {})
    expect(open.filter(({ sessionId }) => wild.includes(sessionId))).toHaveLength(500)
  })
  void ask(calm, 0)
  await eventually(async () =>
    expect((await engine.getSession(owner, { sessionId: calm })).status).toBe('waiting'),
  )
  expect(await engine.waitFor(owner, { sessionIds: [calm], seconds: 0 })).toEqual([])
  expect(await engine.pending(owner, { sessionId: calm })).toEqual([])
  const woken = engine.waitFor(owner, { sessionIds: [calm], seconds: 20 })
  // One of them stops; the others stay as they are.
  for (const sessionId of wild.slice(0, 1))
    for (const { id } of await engine.pending(operator, { sessionId }))
      await engine.answer(operator, { approvalId: id, answers: ['deny'] })
  expect(await woken).toMatchObject([{ id: calm }])
  expect(await engine.pending(owner, { sessionId: calm })).toMatchObject([
    { expiresAt: expect.any(Number) as number },
  ])
})
