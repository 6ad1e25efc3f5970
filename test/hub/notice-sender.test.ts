import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { NoticeSender } from '../../src/hub/notice-sender.ts'
import type { NoticeReason } from '../../src/notices/notice.ts'
import { applicationKey } from '../../src/push/application-key.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { anApproval, aSession, opened } from '../contracts/rows.ts'
import { pushService } from '../rig/clients/push-service.ts'
import { asApprovalId, asCallerId } from '../rig/tools/ids.ts'

const PHONE = asCallerId('device phone')
const SECRET = 'rm -rf the-secret-folder'
const ID = asApprovalId('a1')
const asked = { type: 'approval.opened', approvalId: ID } as SessionEvent
const settled = { type: 'approval.settled', approvalId: ID, status: 'denied' } as SessionEvent

async function aHub(reasons: readonly NoticeReason[], openedAt = 100, fields: object = {}) {
  const [store, service] = [await openMemoryStore(), await pushService()]
  const session = aSession({ name: 'web', status: 'waiting', timeoutMs: 0, ...fields })
  await store.sessions.create(session)
  const approval = anApproval({ id: ID, toolName: 'Bash', input: { command: SECRET }, openedAt })
  await opened(store, approval)
  const device = { id: PHONE, kind: 'device', name: 'phone', scopes: ['read'], createdAt: 50 } as const
  await store.callers.put({ ...device, tokenHash: 'h' })
  const { endpoint, p256dh, auth } = service.subscription
  await store.notices.put({ device: PHONE, reasons: [...reasons], push: { endpoint, p256dh, auth } })
  const clock = { time: 100 }
  const key = applicationKey(randomBytes(32).toString('base64url'))
  const problems: unknown[] = []
  const sender = new NoticeSender({
    store,
    key: async () => key,
    rules: { allowsLoopback: true },
    onProblem: (...problem) => problems.push(problem),
    onError: (error) => problems.push(error),
    now: () => clock.time,
    retryMs: [],
  })
  const sent = async () => {
    await sender.idle()
    return service.received.map(({ message }) => message)
  }
  return { store, service, session, sender, sent, clock, problems, device }
}

test('S51: a question is sent once with its session and its tool, and without its input; settled, it is withdrawn', async () => {
  const { sender, session, sent, service } = await aHub(['question'])
  sender.observe(session, [asked])
  expect(await sent()).toEqual([
    {
      type: 'show',
      notice: {
        key: ID,
        tag: ID,
        reason: 'question',
        title: 'web asks',
        body: 'It wants to use Bash.',
        sessionId: session.id,
        question: { id: ID, inputSha256: 'ab' },
      },
    },
  ])
  sender.observe(session, [settled])
  expect((await sent())[1]).toEqual({ type: 'withdraw', tag: ID })
  expect(JSON.stringify(service.received)).not.toContain(SECRET)
  expect(new Set(service.received.map(({ headers }) => headers['topic'])).size).toBe(1)
})

test('nothing is sent for a reason that is off, and nothing to a device without push', async () => {
  const { sender, session, sent, store } = await aHub(['done'])
  sender.observe(session, [asked, settled])
  expect(await sent()).toEqual([])
  await store.notices.put({ device: PHONE, reasons: ['question'] })
  sender.observe(session, [asked])
  expect(await sent()).toEqual([])
})

test('S51: a device that was removed, or was not used for 30 days, is sent nothing', async () => {
  const { sender, session, sent, store, clock, device } = await aHub(['question'])
  clock.time = 31 * 86_400_000
  sender.observe(session, [asked])
  expect(await sent()).toEqual([])
  clock.time = 100
  await store.callers.put({ ...device, tokenHash: 'h', revokedAt: 60 })
  sender.observe(session, [asked])
  expect(await sent()).toEqual([])
})

test('a question of an earlier hub is withdrawn too', async () => {
  const { sender, session, sent } = await aHub(['question'], 99)
  sender.observe(session, [settled])
  expect(await sent()).toEqual([{ type: 'withdraw', tag: ID }])
})

test('what was settled before it was sent is not sent', async () => {
  const { sender, session, sent, service } = await aHub(['question', 'done'])
  service.status = undefined
  sender.observe({ ...session, status: 'done' }, [{ type: 'turn.ended', outcome: 'done' }])
  await service.has(1)
  sender.observe(session, [asked, settled])
  await setImmediate() // all that the memory store does is done by then
  service.answer(201)
  expect(await sent()).toMatchObject([{ notice: { reason: 'done' } }])
})

test('the end of a turn is sent as done or failed, of a session that nobody above started', async () => {
  const { sender, session, sent } = await aHub(['done', 'failed'])
  const ended = (outcome: 'done' | 'failed' | 'interrupted', fields: object = {}) =>
    sender.observe({ ...session, status: outcome, turn: 2, ...fields }, [{ type: 'turn.ended', outcome }])
  ended('interrupted')
  ended('done', { parentId: 'p' })
  ended('done', { status: 'running' })
  ended('done')
  await sent()
  ended('failed')
  expect(await sent()).toMatchObject([
    { notice: { title: 'web is done', key: `${session.id} 2`, reason: 'done' } },
    { notice: { title: 'web failed', reason: 'failed' } },
  ])
})

test('a question that expires soon is sent once, and once more after it got more time', async () => {
  const { sender, sent, clock } = await aHub(['expiring'])
  const check = (expiresAt: number | undefined) => sender.checkOpen(() => expiresAt)
  await check(undefined)
  clock.time = 899
  await check(1_100)
  expect(await sent()).toEqual([])
  clock.time = 900
  for (const at of [1_100, 1_100, 2_000]) await check(at)
  expect(await sent()).toMatchObject([{ notice: { reason: 'expiring', title: 'web still asks', tag: ID } }])
  clock.time = 1_900
  await check(2_000)
  expect(await sent()).toHaveLength(2)
})

test('a question that a model is to answer is sent when the model has left it open, and once', async () => {
  const { sender, session, sent, clock } = await aHub(['question'], 100, { timeoutMs: 300_000 })
  sender.observe(session, [asked])
  const check = () => sender.checkOpen(() => undefined)
  await check()
  expect(await sent()).toEqual([])
  clock.time = 20_100
  await check()
  await check()
  expect(await sent()).toMatchObject([{ notice: { key: ID, reason: 'question' } }])
})

test('a subscription that has ended is forgotten, and the reasons stay', async () => {
  const { sender, session, sent, service, store } = await aHub(['question'])
  service.status = 410
  sender.observe(session, [asked])
  await sent()
  expect(await store.notices.get(PHONE)).toEqual({ device: PHONE, reasons: ['question'] })
})

test('R36: while a push service hangs, observing returns at once and what waits is bounded', async () => {
  const { sender, session, service, problems } = await aHub(['question', 'done'])
  service.status = undefined
  for (let turn = 0; turn < 3_000; turn++)
    sender.observe({ ...session, status: 'done', turn, id: `s${turn}` as never }, [
      { type: 'turn.ended', outcome: 'done' },
    ])
  await service.has(1)
  sender.close()
  await sender.idle()
  expect(problems.length).toBeGreaterThan(900)
  expect(service.requests()).toBe(1)
})
