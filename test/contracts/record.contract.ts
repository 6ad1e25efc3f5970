import { beforeEach, describe, expect, it } from 'vitest'
import { type RecordEntry, type RecordKind, NO_ROWS } from '../../src/audit/record-row.ts'
import { recordItems } from '../../src/audit/record-items.ts'
import { RecordCheck } from '../../src/audit/verify-record.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { asApprovalId } from '../rig/tools/ids.ts'
import { refusalOf } from './refusal.ts'
import { ALLOW, aSession, aStep, anApproval } from './rows.ts'

const entry = (kind: RecordKind, body: object = {}, at = 10): RecordEntry => ({ kind, at, body: { ...body } })
const asked = (approvalId: string, session = 's1') => entry('asked', { approvalId, session })

async function rowsOf(store: Store) {
  return store.record.read({ limit: 1_000 })
}

const kindsOf = async (store: Store) => (await rowsOf(store)).map(({ kind }) => kind)

async function numbers(rows: Promise<readonly { number: number }[]>): Promise<number[]> {
  return (await rows).map(({ number }) => number)
}

async function reportOf(store: Store) {
  const check = new RecordCheck()
  for await (const items of recordItems(store.record)) for (const item of items) check.add(item)
  return check.report()
}

/** What every store does with the record. */
export function recordContract(store: () => Store): void {
  describe('the record', () => {
    beforeEach(() => store().sessions.create(aSession()))

    it('is empty at first', async () => {
      expect(await store().record.head()).toEqual(NO_ROWS)
      expect(await store().record.get(1)).toBeUndefined()
      expect(await store().record.lastCheckpoint()).toBeUndefined()
    })

    it('numbers its rows from 1, and each carries the hash of the row before it', async () => {
      await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          at % 2
            ? store().record.append([entry('read', { at })])
            : store().journal.append(aStep(1, { recorded: [asked(`q${at}`), asked(`q${at} again`)] })),
        ),
      )
      const rows = await rowsOf(store())
      expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1))
      expect(rows.map(({ previous }) => previous)).toEqual([
        NO_ROWS.hash,
        ...rows.slice(0, -1).map(({ hash }) => hash),
      ])
      expect(await store().record.head()).toEqual({ number: 45, hash: rows.at(-1)?.hash })
      expect(await reportOf(store())).toMatchObject({ rows: 45, first: 1, last: 45 })
      expect((await reportOf(store())).broken).toBeUndefined()
    })

    it('gets the rows of a step with the step, and none of a step that is refused', async () => {
      await store().journal.append(aStep(1, { opened: [anApproval()], recorded: [asked('a1')] }))
      const answer = aStep(1, { settled: [ALLOW], recorded: [entry('settled', { approvalId: 'a1' })] })
      await store().journal.append(answer, { durable: true })
      const two = [refusalOf(store().journal.append(answer)), store().record.append([entry('read')])]
      const [refusal] = await Promise.all(two)
      expect(refusal).toMatchObject({ code: 'already_settled' })
      expect(await kindsOf(store())).toEqual(['asked', 'settled', 'read'])
      expect((await reportOf(store())).broken).toBeUndefined()
    })

    it('notes a delivery once, however often it is reported', async () => {
      await store().journal.append(aStep(1, { opened: [anApproval()] }))
      const id = asApprovalId('a1')
      for (const delivery of ['sent', 'sent', 'acknowledged', 'sent'] as const)
        await store().approvals.setDelivery(id, delivery, entry('delivered', { delivery }))
      await store().approvals.setDelivery('none', 'sent', entry('delivered'))
      expect((await rowsOf(store())).map(({ body }) => body)).toEqual([
        '{"delivery":"sent"}',
        '{"delivery":"acknowledged"}',
      ])
    })

    it('notes a delivery at the latest when the child has acted on the answer', async () => {
      for (const id of ['a1', 'a2']) {
        const approval = anApproval({ id: asApprovalId(id) })
        await store().journal.append(aStep(1, { opened: [approval] }))
      }
      await store().approvals.setDelivery('a1', 'sent', entry('delivered', { approvalId: 'a1' }))
      const acknowledged = ['a1', 'a2'].map((id) => ({
        approvalId: asApprovalId(id),
        delivered: entry('delivered', { approvalId: id }),
      }))
      await store().journal.append(aStep(1, { acknowledged, recorded: [entry('ran', { approvalId: 'a2' })] }))
      await store().journal.append(aStep(1, { acknowledged }))
      expect((await rowsOf(store())).map(({ kind, body }) => `${kind} ${body}`)).toEqual([
        'delivered {"approvalId":"a1"}',
        'delivered {"approvalId":"a2"}',
        'ran {"approvalId":"a2"}',
      ])
      expect((await store().approvals.get('a2'))?.delivery).toBe('acknowledged')
    })

    it('outlives its session', async () => {
      await store().sessions.create(aSession({ id: 's2' }), entry('session-started', { session: 's2' }))
      await store().sessions.remove('s2', entry('session-removed', { session: 's2' }))
      expect(await store().sessions.get('s2')).toBeUndefined()
      expect(await kindsOf(store())).toEqual(['session-started', 'session-removed'])
    })

    it('keeps the text of a child whole, whatever is in it', async () => {
      const body = { text: 'a\u0000b\ud800c\u2028"\\', deep: { b: [1, null], a: -0.5 } }
      await store().record.append([entry('asked', body)])
      const [row] = await rowsOf(store())
      expect(JSON.parse(row?.body ?? '')).toEqual(body)
      expect((await reportOf(store())).broken).toBeUndefined()
    })

    it('finds rows by session, question, kind and number, from either end', async () => {
      await store().record.append([asked('a', 's1'), asked('b', 's2'), entry('read'), asked('c', 's1')])
      const { record } = store()
      expect(await numbers(record.read({ session: 's1', limit: 9 }))).toEqual([1, 4])
      expect(await numbers(record.read({ approval: 'b', limit: 9 }))).toEqual([2])
      expect(await numbers(record.read({ kind: 'read', limit: 9 }))).toEqual([3])
      expect(await numbers(record.read({ after: 1, before: 4, limit: 9 }))).toEqual([2, 3])
      expect(await numbers(record.latest({ limit: 2 }))).toEqual([4, 3])
      expect(await record.get(2)).toMatchObject({ number: 2, kind: 'asked' })
      // Also across checkpoints, and once each.
      await record.addCheckpoint({ size: 2, at: 1, note: '' })
      await record.append([asked('b', 's2')])
      expect(await numbers(record.read({ approval: 'b', limit: 9 }))).toEqual([2, 5])
      await record.addCheckpoint({ size: 5, at: 1, note: '' })
      await record.append([asked('b', 's2')])
      expect(await numbers(record.latest({ approval: 'b', limit: 9 }))).toEqual([6, 5, 2])
      expect(await numbers(record.read({ session: 's2', limit: 9 }))).toEqual([2, 5, 6])
      expect(await numbers(record.latest({ session: 's1', kind: 'asked', limit: 1 }))).toEqual([4])
    })

    it('has checkpoints by their size, and cuts what is before one', async () => {
      const { record } = store()
      for (const size of [3, 5]) {
        while ((await record.head()).number < size) await record.append([entry('read')])
        await record.addCheckpoint({ size, at: size, note: `note ${size}` })
      }
      expect(await record.lastCheckpoint()).toEqual({ size: 5, at: 5, note: 'note 5' })
      expect(await record.checkpoints({ after: 3, until: 9, limit: 9 })).toHaveLength(1)
      await record.cut(3)
      await record.cut(3)
      expect((await rowsOf(store())).map(({ number }) => number)).toEqual([4, 5])
      await record.cut(5)
      await record.append([entry('read')])
      expect((await record.checkpoints({ after: 0, until: 9, limit: 9 })).map(({ size }) => size)).toEqual([
        5,
      ])
    })

    it('rings after each commit with rows, and for no other', async () => {
      let rung = 0
      const stop = store().record.onAppended(() => rung++)
      await store().journal.append(aStep(1))
      expect(rung).toBe(0)
      await store().journal.append(aStep(1, { recorded: [entry('read')] }))
      await store().record.append([entry('read')])
      expect(rung).toBe(2)
      stop()
      await store().record.append([entry('read')])
      expect(rung).toBe(2)
    })
  })
}
