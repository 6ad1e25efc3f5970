import { expect, test } from 'vitest'
import type { CallContext } from '../../../src/engine/engine.ts'
import { question, turn } from '../../rig/cli/scripted-lines.ts'
import { operator, startSessions, stores } from '../../rig/hubs/sessions.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

test.each(stores)(
  'I4: on %s the row says when an answer was sent and when the child has continued with it',
  async (store) => {
    const [asks, waits, finishes] = question('q1')
    if (!asks || !waits || !finishes) throw new Error('a question has three steps')
    const script = turn(asks, waits, { echo: '"user"' }, finishes)
    const all = await startSessions({ store, scenario: { main: [] }, script })
    const { id } = await all.start('go')
    const { id: approvalId, delivery } = await all.question(id)
    expect(delivery).toBe('none')
    const told = await all.engine.answer(operator, { approvalId, answers: ['allow'] })
    expect(told).toMatchObject({ status: 'allowed', delivery: 'sent' })
    expect(await all.store.approvals.get(approvalId)).toMatchObject({ delivery: 'sent' })
    await all.supervisor.say(id, 'go on')
    await all.event(id, 'tool.finished')
    expect(await all.store.approvals.get(approvalId)).toMatchObject({ delivery: 'acknowledged' })
  },
)

test.each(stores)('I4: on %s an answer to a call is sent when the call returns', async (store) => {
  const all = await startSessions({ store, scenario: { main: [] }, script: [], carrier: 'mcp' })
  const { id } = all.track(
    await all.supervisor.creation.create({
      options: {
        permissionMode: 'default',
        supervise: 'asked',
        dangerouslySkipPermissions: false,
        carrier: 'mcp',
      },
      owner: asCallerId('operator'),
    }),
  )
  const child: CallContext = {
    caller: { id: asCallerId(id), kind: 'session', name: id, scopes: [], person: false },
  }
  const asked = { toolName: 'Bash', input: { command: 'date' }, toolUseId: 't1' }
  const decision = all.engine.ask(child, asked, new AbortController().signal)
  const { id: approvalId } = await eventually(() => all.question(id))
  expect(await all.store.approvals.get(approvalId)).toMatchObject({ delivery: 'none' })
  await all.engine.answer(operator, { approvalId, answers: ['allow'] })
  expect(await decision).toMatchObject({ behavior: 'allow' })
  expect(await all.store.approvals.get(approvalId)).toMatchObject({ delivery: 'sent' })
})

test('I4: an answer that was stored is reported as such, also where something fails after that', async () => {
  const broken = new Error('The row cannot be written.')
  const failures = [broken]
  const all = await startSessions({
    store: 'memory',
    scenario: { main: [] },
    script: turn(...question('q1')),
    around: ({ approvals, ...store }) => ({
      ...store,
      approvals: {
        ...approvals,
        setDelivery: async (...delivery) => {
          const failure = failures.pop()
          if (failure) throw failure
          await approvals.setDelivery(...delivery)
        },
      },
    }),
  })
  const { id } = await all.start('go')
  const { id: approvalId } = await all.question(id)
  const told = await all.engine.answer(operator, { approvalId, answers: ['allow'] })
  expect(told).toMatchObject({ status: 'allowed', by: 'operator' })
  expect(all.errors).toEqual([broken])
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
})
