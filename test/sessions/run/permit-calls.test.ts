import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { AppError } from '../../../src/base/errors.ts'
import { operator, type Setting, startSessions } from '../../rig/hubs/sessions.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

/** Asks as a claude does that somebody else has started: by calls, without a process of ours. */
async function outside(around?: Setting['around']) {
  const scenario = { main: [] }
  const all = await startSessions({ store: 'memory', scenario, ...(around ? { around } : {}) })
  const options = StartOptions.parse({ workingDirectory: all.project, carrier: 'mcp' })
  const { id } = await all.engine.createSession(operator, { options })
  const caller = { id: asCallerId('c'), kind: 'session', name: id, scopes: [], person: false } as const
  const ask = (toolName: string, input: Record<string, unknown>, toolUseId: string) =>
    all.engine.ask({ caller }, { toolName, input, toolUseId }, new AbortController().signal)
  return { all, id, bash: (command: string, toolUse: string) => ask('Bash', { command }, toolUse), ask }
}

test('what was remembered is answered at once, on record, until it is taken back', async () => {
  const { all, id, ask } = await outside()
  const input = { file_path: join(all.project, 'a'), content: 'x' }
  const first = ask('Write', input, 't1')
  const { id: approvalId } = await all.question(id)
  await all.engine.answer(operator, { approvalId, approve: true, remember: 'session' })
  const allowed = { behavior: 'allow', updatedInput: input }
  expect([await first, await ask('Write', input, 't2')]).toEqual([allowed, allowed])
  const [grant] = await all.engine.listGrants(operator, { sessionId: id })
  expect(
    (await all.store.approvals.settled({ sessionIds: [id], limit: 9 })).map(({ status, by }) => [status, by]),
  ).toEqual([
    ['allowed', 'operator'],
    ['allowed', 'operator'],
  ])
  expect(await all.events(id)).toContainEqual(
    expect.objectContaining({ status: 'allowed', grantId: grant?.id }),
  )
  await all.engine.revokeGrant(operator, { sessionId: id, grantId: grant?.id ?? '' })
  const third = ask('Write', input, 't3')
  const asked = await all.question(id)
  await all.engine.answer(operator, { approvalId: asked.id, approve: false })
  expect(await third).toMatchObject({ behavior: 'deny' })
})

test('what is asked about each time cannot be remembered: the question stays', async () => {
  const { all, id, bash } = await outside()
  const open = bash(`cat ${all.folder}/home/operator.token`, 't1')
  const { id: approvalId } = await all.question(id)
  const remembered = all.engine.answer(operator, { approvalId, approve: true, remember: 'session' })
  await expect(remembered).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await all.store.approvals.get(approvalId)).toMatchObject({ status: 'pending' })
  await all.engine.answer(operator, { approvalId, approve: false })
  expect(await open).toMatchObject({ behavior: 'deny' })
})

test('S26: a command of which nobody knows the folder cannot be remembered: the question stays', async () => {
  const { all, id, bash } = await outside()
  const open = bash('touch a', 't1')
  const { id: approvalId } = await all.question(id)
  for (const remember of ['session', 'suggested'] as const)
    await expect(all.engine.answer(operator, { approvalId, approve: true, remember })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('folder') as string,
    })
  await all.engine.answer(operator, { approvalId, approve: true })
  expect(await open).toMatchObject({ behavior: 'allow' })
})

test('a plan is asked about each time', async () => {
  const { all, id, ask } = await outside()
  const open = ask('ExitPlanMode', { plan: 'dig' }, 't1')
  const { id: approvalId } = await all.question(id)
  const remembered = all.engine.answer(operator, { approvalId, approve: true, remember: 'session' })
  await expect(remembered).rejects.toMatchObject({ code: 'invalid_input' })
  await all.engine.answer(operator, { approvalId, approve: true })
  expect(await open).toMatchObject({ behavior: 'allow' })
  expect(await all.engine.listGrants(operator, { sessionId: id })).toEqual([])
})

test('an answer that was given reaches who asked, though nothing more can be noted', async () => {
  const full = new AppError('storage_full', 'The disk is full.')
  const { all, id, bash } = await outside((store) => ({
    ...store,
    approvals: { ...store.approvals, setDelivery: () => Promise.reject(full) },
  }))
  const open = bash('touch a', 't1')
  const { id: approvalId } = await all.question(id)
  await all.engine.answer(operator, { approvalId, approve: true })
  expect(await open).toMatchObject({ behavior: 'allow' })
  expect(all.errors).toEqual([full])
})
