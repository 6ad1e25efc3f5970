import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { NoticeSender } from '../../src/hub/notice-sender.ts'
import type { NoticeMessage } from '../../src/notices/notice.ts'
import { applicationKey } from '../../src/push/application-key.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { anApproval, aSession, aStep, opened } from '../contracts/rows.ts'
import { pushService } from '../rig/clients/push-service.ts'
import { asApprovalId, asCallerId } from '../rig/tools/ids.ts'

const KEY = applicationKey(randomBytes(32).toString('base64url'))
const IDS = ['a1', 'a2', 'a3', 'a4'].map(asApprovalId)
const device = asCallerId('device phone')

/** What happens, in order: a question is opened or settled (by its number), or all that waits is sent. */
const steps = fc.array(fc.oneof(fc.nat(3), fc.constant('sent' as const)), { maxLength: 14 })

test('in any order of events and deliveries a question is shown at most once, never after it was withdrawn, and what was shown and is settled is withdrawn', async () => {
  const service = await pushService()
  const { endpoint, p256dh, auth } = service.subscription
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      service.received.length = 0
      const store = await openMemoryStore()
      await store.sessions.create(aSession({ name: 'web' }))
      await store.callers.put({
        id: device,
        kind: 'device',
        name: 'phone',
        tokenHash: 'h',
        scopes: [],
        createdAt: 0,
      })
      await store.notices.put({ device, reasons: ['question'], push: { endpoint, p256dh, auth } })
      const sender = new NoticeSender({
        store,
        key: async () => KEY,
        rules: { allowsLoopback: true },
        onProblem: (_, reason) => expect.unreachable(reason),
        onError: (error) => expect.unreachable(String(error)),
        now: () => 1,
      })
      const states = new Map<string, 'open' | 'settled'>()
      for (const step of taken) {
        if (step === 'sent') {
          await sender.idle()
          continue
        }
        const id = IDS[step] ?? asApprovalId('none')
        const state = states.get(id)
        if (state === undefined) await opened(store, anApproval({ id }))
        if (state === 'open')
          await store.journal.append({ ...aStep(0), settled: [{ approvalId: id, status: 'denied' }] })
        if (state === 'settled') continue
        states.set(id, state === undefined ? 'open' : 'settled')
        const type = state === undefined ? 'approval.opened' : 'approval.settled'
        sender.observe(aSession({ name: 'web' }), [{ type, approvalId: id } as SessionEvent])
      }
      await sender.idle()
      for (const id of IDS) {
        const sent = service.received
          .map(({ message }) => message as NoticeMessage)
          .filter((message) => (message.type === 'show' ? message.notice.tag : message.tag) === id)
          .map(({ type }) => type)
        const isOpen = states.get(id) === 'open'
        expect(sent).toEqual(isOpen ? ['show'] : sent.length === 0 ? [] : ['show', 'withdraw'])
      }
    }),
    { numRuns: 40 },
  )
})
