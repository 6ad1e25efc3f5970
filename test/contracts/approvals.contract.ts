import { beforeEach, describe, expect, it } from 'vitest'
import type { Settlement } from '../../src/approvals/approval.ts'
import type { AppError } from '../../src/base/errors.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from './refusal.ts'
import { ALLOW, aSession, aStep, anApproval, idsOf, opened, seqsOf } from './rows.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

export function approvalsContract(store: () => Store): void {
  describe('approvals', () => {
    beforeEach(() => store().sessions.create(aSession()))

    it('come back whole, whatever a child has put into them', async () => {
      const odd = anApproval({
        reason: 'a\u0000b \ud800',
        input: { command: 'x\u0000y' },
        suggestions: [{ type: 'addRules' }],
        agentId: 'agent',
        blockedPath: '/etc',
      })
      await opened(store(), odd)
      expect(await store().approvals.get('a1')).toStrictEqual(odd)
      expect(await store().approvals.get('none')).toBeUndefined()
    })

    it('that are there already are left as they are', async () => {
      await opened(store(), anApproval())
      await opened(store(), anApproval({ toolName: 'Write', openedAt: 50 }))
      await store().journal.append(aStep(1, { settled: [ALLOW] }))
      await opened(store(), anApproval())
      expect(await store().approvals.pending()).toEqual([])
      expect(idsOf(await store().approvals.settled({ limit: 9 }))).toEqual(['a1'])
      expect(await store().approvals.get('a1')).toMatchObject({ toolName: 'Bash', status: 'allowed' })
    })

    it('S42: are settled with what was decided, by whom, which way and when; one of an older version without the way', async () => {
      await opened(store(), anApproval(), anApproval({ id: 'a2' }), anApproval({ id: 'a3' }))
      const byForm = { ...ALLOW, approvalId: 'a3', level: 'person', via: 'form' } as const
      await store().journal.append(
        aStep(1, { at: 30, settled: [ALLOW, { approvalId: 'a2', status: 'withdrawn' }, byForm] }),
        { durable: true },
      )
      expect(await store().approvals.get('a1')).toStrictEqual(
        anApproval({ status: 'allowed', decision: ALLOW.decision, by: 'operator', settledAt: 30 }),
      )
      expect(await store().approvals.get('a2')).toStrictEqual(
        anApproval({ id: 'a2', status: 'withdrawn', settledAt: 30 }),
      )
      expect(await store().approvals.get('a3')).toMatchObject({
        by: 'operator',
        level: 'person',
        via: 'form',
      })
    })

    it('that are settled are listed in pages, what was opened last first, by session or owner', async () => {
      await store().sessions.create(aSession({ id: 's2', owner: 'other' }))
      await opened(store(), anApproval(), anApproval({ id: 'a2' }), anApproval({ id: 'a3' }))
      await store().journal.append(aStep(1, { settled: [denied('a3'), denied('a1')] }))
      const theirs = anApproval({ id: 'b1', sessionId: 's2' })
      await store().journal.append(aStep(1, { sessionId: 's2', opened: [theirs], settled: [denied('b1')] }))
      const settled = async (filter: object) =>
        idsOf(await store().approvals.settled({ limit: 10, ...filter }))
      expect(await settled({})).toEqual(['b1', 'a3', 'a1'])
      expect(await settled({ limit: 2 })).toEqual(['b1', 'a3'])
      expect(await settled({ before: 'a3' })).toEqual(['a1'])
      expect(await settled({ owner: 'other' })).toEqual(['b1'])
      expect(await settled({ sessionIds: ['s1'] })).toEqual(['a3', 'a1'])
      expect(await settled({ sessionIds: [] })).toEqual([])
    })

    it('are opened and settled by one step', async () => {
      await store().journal.append(aStep(2, { opened: [anApproval()], settled: [ALLOW] }))
      expect((await store().approvals.get('a1'))?.status).toBe('allowed')
    })

    it('I1: two settlements at once have one winner, and the error of the loser names it', async () => {
      await opened(store(), anApproval())
      const deny: Settlement = {
        approvalId: asApprovalId('a1'),
        status: 'denied',
        decision: { behavior: 'deny', message: 'no' },
        by: 'someone',
      }
      const results = await Promise.allSettled([
        store().journal.append(aStep(1, { settled: [ALLOW] }), { durable: true }),
        store().journal.append(aStep(1, { settled: [deny] }), { durable: true }),
      ])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const lost = results.find((result) => result.status === 'rejected')
      const error = lost?.reason as AppError
      const standing = await store().approvals.get('a1')
      expect(error.code).toBe('already_settled')
      const { id, status, by, settledAt, decision } = standing ?? {}
      const message = decision?.behavior === 'deny' ? { message: decision.message } : {}
      expect(error.data).toStrictEqual({ approval: { id, status, by, ...message, settledAt } })
      expect(error.message).toContain(standing?.by)
      expect(await seqsOf(store(), 0, 9)).toEqual([1, 2])
    })

    it('are settled only by a step of their own session', async () => {
      await store().sessions.create(aSession({ id: 's2' }))
      await opened(store(), anApproval())
      const unknown = { ...ALLOW, approvalId: 'none' }
      for (const step of [
        aStep(1, { settled: [unknown] }),
        aStep(1, { sessionId: 's2', settled: [ALLOW] }),
      ]) {
        expect((await refusalOf(store().journal.append(step))).code).toBe('not_found')
      }
      expect((await store().approvals.get('a1'))?.status).toBe('pending')
    })

    it('are found by the tool use they ask about, in the order of their opening', async () => {
      await opened(
        store(),
        anApproval({ id: 'a1', toolUseId: 't' }),
        anApproval({ id: 'a2', toolUseId: 't' }),
      )
      expect(await store().approvals.ofToolUse('s1', 't')).toMatchObject([{ id: 'a1' }, { id: 'a2' }])
      expect(await store().approvals.ofToolUse('s2', 't')).toEqual([])
      expect(await store().approvals.ofToolUse('s1', 'none')).toEqual([])
    })

    it('one is found by its number in its session', async () => {
      await opened(store(), anApproval({ id: 'a1', number: 1 }), anApproval({ id: 'a2', number: 2 }))
      expect(await store().approvals.ofNumber('s1', 2)).toMatchObject({ id: 'a2', number: 2 })
      expect(await store().approvals.ofNumber('s1', 3)).toBeUndefined()
      expect(await store().approvals.ofNumber('s2', 2)).toBeUndefined()
    })

    it('R13: 1,000 that are pending are listed in the order of their opening, and answered in any', async () => {
      const ids = Array.from({ length: 1000 }, (_, at) => `a${(at * 7919) % 1000}`)
      await opened(store(), ...ids.slice(0, 500).map((id, at) => anApproval({ id, openedAt: 1000 - at })))
      await opened(store(), ...ids.slice(500).map((id) => anApproval({ id })))
      expect(idsOf(await store().approvals.pending())).toEqual(ids)
      expect(await store().approvals.pendingIds()).toEqual(
        ids.map((id) => ({ id, sessionId: 's1', bytes: expect.any(Number) as number })),
      )
      const settled = ids.filter((_, at) => at % 3 === 0).toReversed()
      for (const approvalId of settled) {
        await store().journal.append(aStep(1, { settled: [{ approvalId, status: 'denied' }] }))
      }
      expect(idsOf(await store().approvals.pending())).toEqual(ids.filter((_, at) => at % 3 !== 0))
      expect(idsOf(await store().approvals.pendingIds())).toEqual(ids.filter((_, at) => at % 3 !== 0))
      expect(idsOf(await store().approvals.settled({ limit: 1000 }))).toEqual(settled)
    })

    it('that are pending are read with how long each waits, and whether it is held back from a person', async () => {
      await opened(
        store(),
        anApproval({ id: 'a1', timeoutMs: 9_000 }),
        anApproval({ id: 'a2', held: true }),
        anApproval({ id: 'a3', flood: true }),
      )
      const row = { sessionId: 's1', bytes: expect.any(Number) as number }
      expect(await store().approvals.pendingIds()).toEqual([
        { id: 'a1', ...row, timeoutMs: 9_000 },
        { id: 'a2', ...row, held: true },
        { id: 'a3', ...row, flood: true },
      ])
    })

    it('are pending in all sessions, or in those that are named', async () => {
      for (const sessionId of ['s2', 's3']) {
        await store().sessions.create(aSession({ id: sessionId }))
        await store().journal.append(
          aStep(0, { sessionId, opened: [anApproval({ id: `a-${sessionId}`, sessionId })] }),
        )
      }
      await opened(store(), anApproval())
      expect(idsOf(await store().approvals.pending())).toEqual(['a-s2', 'a-s3', 'a1'])
      expect(idsOf(await store().approvals.pending(['s1', 's2']))).toEqual(['a-s2', 'a1'])
      expect(await store().approvals.pending([])).toEqual([])
    })

    it('are counted by status', async () => {
      const none = { pending: 0, allowed: 0, denied: 0, expired: 0, withdrawn: 0 }
      expect(await store().approvals.countByStatus()).toEqual(none)
      await opened(store(), anApproval(), anApproval({ id: 'a2' }), anApproval({ id: 'a3' }))
      await store().journal.append(aStep(1, { settled: [ALLOW] }))
      expect(await store().approvals.countByStatus()).toEqual({ ...none, pending: 2, allowed: 1 })
    })

    it('are delivered in one direction only', async () => {
      const seen: unknown[] = []
      await opened(store(), anApproval(), anApproval({ id: 'a2' }))
      for (const delivery of ['none', 'sent', 'none', 'sent', 'acknowledged', 'sent', 'none'] as const) {
        await store().approvals.setDelivery('a1', delivery)
        seen.push((await store().approvals.get('a1'))?.delivery)
      }
      expect(seen).toEqual(['none', 'sent', 'sent', 'sent', 'acknowledged', 'acknowledged', 'acknowledged'])
      await store().approvals.setDelivery('a2', 'acknowledged')
      expect((await store().approvals.get('a2'))?.delivery).toBe('acknowledged')
      await store().approvals.setDelivery('none', 'sent')
    })

    it('keep how they were handed up, and cannot be when they are settled or not there', async () => {
      await opened(store(), anApproval({ reason: 'a\u0000b \ud800' }))
      const escalated = { approvalId: 'a1', by: 'low', to: 'top', note: 'x\u0000y' }
      await store().journal.append(aStep(1, { at: 20, escalated: [escalated] }))
      await store().journal.append(
        aStep(1, { at: 30, escalated: [{ approvalId: 'a1', by: 'top', to: 'owner' }] }),
      )
      const escalations = [
        { by: 'low', to: 'top', note: 'x\u0000y', at: 20 },
        { by: 'top', to: 'owner', at: 30 },
      ]
      const [pending] = await store().approvals.pending()
      expect(pending).toStrictEqual(anApproval({ reason: 'a\u0000b \ud800', escalations }))
      await store().journal.append(aStep(1, { settled: [{ ...ALLOW, level: 1 }] }))
      expect(await store().approvals.get('a1')).toMatchObject({ escalations, level: 1, status: 'allowed' })
      const late = store().journal.append(aStep(1, { escalated: [escalated] }))
      expect(await refusalOf(late)).toMatchObject({
        code: 'already_settled',
        data: { approval: { level: 1 } },
      })
      const none = store().journal.append(aStep(1, { escalated: [{ ...escalated, approvalId: 'a9' }] }))
      expect((await refusalOf(none)).code).toBe('not_found')
    })

    it('are removed when they were settled long ago, never while they are pending', async () => {
      await opened(store(), anApproval({ id: 'a0' }), anApproval(), anApproval({ id: 'a2' }))
      await store().journal.append(aStep(1, { at: 20, settled: [ALLOW] }))
      await store().journal.append(aStep(1, { at: 30, settled: [{ ...ALLOW, approvalId: 'a2' }] }))
      expect(await store().approvals.removeSettledBefore(20)).toBe(0)
      expect(await store().approvals.removeSettledBefore(30)).toBe(1)
      expect(idsOf(await store().approvals.pending())).toEqual(['a0'])
      expect(idsOf(await store().approvals.settled({ limit: 9 }))).toEqual(['a2'])
    })
  })
}

function denied(approvalId: string): Settlement {
  return { approvalId: asApprovalId(approvalId), status: 'denied' }
}
