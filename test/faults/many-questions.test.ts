import { expect, test } from 'vitest'
import type { Identity } from '../../src/callers/permission.ts'
import { StartOptions } from '../../src/child/start-options.ts'
import type { Decision } from '../../src/events/session-event.ts'
import { eventually } from '../rig/eventually.ts'
import { aFamily, CALLERS } from '../rig/family.ts'

const operator = { caller: CALLERS.operator }
const childOf = (id: string): Identity => ({
  id: `session ${id}`,
  kind: 'session',
  name: id,
  scopes: [],
  person: false,
})

test('R13 S12 S35: of 16 sessions of two owners that ask 64 questions each a thousand are open, visible and answered in any order, and no more', async () => {
  const { app, project } = await aFamily()
  const { engine } = app
  const decisions = new Map<string, Decision>()
  const ids: string[] = []
  for (let n = 0; n < 16; n++) {
    const options = StartOptions.parse({ workingDirectory: project, carrier: 'mcp' })
    const owner = n % 2 === 0 ? operator : { caller: CALLERS.owner }
    const { id } = await engine.createSession(owner, { options })
    ids.push(id)
  }
  const gone = new AbortController().signal
  const asked = ids.flatMap((id) =>
    Array.from({ length: 64 }, async (_, n) => {
      const command = `echo ${id} ${n}`
      const question = { toolName: 'Bash', input: { command }, toolUseId: `toolu_${n}` }
      decisions.set(command, await engine.ask({ caller: childOf(id) }, question, gone))
    }),
  )
  await eventually(() => expect(decisions.size).toBe(24))
  for (const decision of decisions.values())
    expect(decision).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('Too many') as string,
    })

  const pending = (await engine.pending(operator, {})).filter(({ sessionId }) => ids.includes(sessionId))
  expect(pending).toHaveLength(1_000)
  const inAnyOrder = pending.toSorted((a, b) => a.id.localeCompare(b.id))
  for (const [at, { id }] of inAnyOrder.entries()) {
    const answers = [at % 2 === 0 ? 'allow' : 'deny']
    await engine.answer(operator, { approvalId: id, answers })
  }
  await Promise.all(asked)
  expect(decisions.size).toBe(1_024)
  for (const [at, { input }] of inAnyOrder.entries())
    expect(decisions.get(String(input['command']))).toMatchObject(
      at % 2 === 0 ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny' },
    )
  // There is room again.
  const one = { toolName: 'Bash', input: { command: 'echo again' }, toolUseId: 'toolu_again' }
  const again = engine.ask({ caller: childOf(ids[0] ?? '') }, one, gone)
  const [open] = await eventually(async () => {
    const all = await engine.pending(operator, { sessionId: ids[0] })
    expect(all).toHaveLength(1)
    return all
  })
  await engine.answer(operator, { approvalId: open?.id ?? '', answers: ['allow'] })
  expect(await again).toMatchObject({ behavior: 'allow' })
})
