import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { owedTo } from '../../src/child/state/owed-messages.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { ChildAsks } from '../../src/events/approval-fields.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { anApproval, aSession, aStep } from '../contracts/rows.ts'
import { deskFor } from '../rig/hubs/desk-rig.ts'
import { ME, openApp } from '../rig/hubs/engines.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

/** A desk and a session whose child has just asked; time is the test's. */
async function asking(kind: ChildAsks) {
  const store = await openMemoryStore()
  const clock = new FakeClock()
  const session = aSession({ timeoutMs: 60_000 })
  const { writer, desk, stored, errors } = await deskFor(store, session, clock)
  stored.push((events) => desk.watch(session, events))
  const input = kind === 'question' ? { questions: [{ question: 'Which?', options: [] }] } : { message: 'm' }
  await writer.append([
    { type: 'approval.opened', approvalId: asApprovalId('a1'), kind, requestId: 'r1', toolName: 'X', input },
  ])
  const heard = () => owedTo(writer.state.open).map(({ message }) => message)
  return { store, clock, desk, heard, errors }
}

test.each([
  ['tool', { behavior: 'deny' }],
  ['plan', { behavior: 'deny' }],
  ['question', { behavior: 'deny' }],
  ['form', { action: 'cancel' }],
] as const)(
  'a %s that nobody answers expires at its time, and the child gets the denial',
  async (kind, no) => {
    const { store, clock, desk, heard, errors } = await asking(kind)
    expect(desk.expiresAt('a1')).toBe(clock.now() + 60_000)
    clock.advance(59_999)
    await setImmediate()
    expect(await store.approvals.get('a1')).toMatchObject({ status: 'pending' })
    clock.advance(1)
    await setImmediate() // all that follows is done in this process, without waiting for anything
    expect(await store.approvals.get('a1')).toMatchObject({ status: 'expired', decision: no, via: 'expiry' })
    expect(desk.expiresAt('a1')).toBeUndefined()
    expect(heard()).toMatchObject([{ response: { request_id: 'r1', response: no } }])
    expect(errors).toEqual([])
  },
)

test.each(['decline', 'cancel'] as const)(
  'to %s a form denies it, and the child gets the action',
  async (no) => {
    const { store, desk, heard } = await asking('form')
    const settled = await desk.answer(await desk.find('a1'), { answers: [no] }, 'ann')
    expect(settled).toMatchObject({ status: 'denied', by: 'ann', decision: { behavior: 'form', action: no } })
    expect(heard()).toMatchObject([{ response: { request_id: 'r1', response: { action: no } } }])
    expect(await store.approvals.pending()).toEqual([])
  },
)

test('a pending question shows when it expires, also below a session, and in a new hub by the restarted limit', async () => {
  const store = await openMemoryStore()
  const config = StartOptions.parse({ nested: true })
  await store.sessions.create(aSession({ id: 'top', config, status: 'done' }))
  await store.sessions.create(aSession({ id: 'low', parentId: 'top', status: 'waiting', timeoutMs: 60_000 }))
  await store.sessions.create(aSession({ id: 'patient', status: 'waiting' }))
  const asked = [anApproval({ sessionId: 'low', openedAt: 5 })]
  await store.journal.append(aStep(1, { sessionId: 'low', opened: asked }))
  const forEver = [anApproval({ id: 'a2', sessionId: 'patient' })]
  await store.journal.append(aStep(1, { sessionId: 'patient', opened: forEver }))
  const began = Date.now()
  const app = await openApp({ store, home: await temporaryFolder(), env: {}, errors: [] })
  onTestFinished(() => app.close({ endChildren: false }))
  for (const input of [{}, { sessionId: 'low' }, { sessionId: 'top', below: true }] as const) {
    const [{ id, expiresAt = 0 } = { id: '' }] = await app.engine.pending(ME, input)
    expect(id).toBe('a1')
    expect(expiresAt).toBeGreaterThanOrEqual(began + 60_000)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 60_000)
  }
  const [patient] = await app.engine.pending(ME, { sessionId: 'patient' })
  expect(patient).not.toHaveProperty('expiresAt')
})
