import { beforeEach, describe, expect, it } from 'vitest'
import type { AppError } from '../../src/base/errors.ts'
import type { Step } from '../../src/sessions/record/journal.ts'
import type { Run } from '../../src/sessions/record/session.ts'
import type { Turn } from '../../src/sessions/record/session.ts'
import type { TreeNode } from '../../src/tree/tree-node.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from './refusal.ts'
import { ALLOW, NODE, RUN, TURN, aSession, aStep, anApproval, idsOf, seqsOf, rangeOf } from './rows.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const settling = (sessionId: string, ...names: string[]) =>
  aStep(names.length, {
    sessionId,
    settled: names.map((name) => ({ ...ALLOW, approvalId: asApprovalId(`${name} of ${sessionId}`) })),
  })

const extending = (until: number, approvalId = 'a1') =>
  aStep(1, { extended: [{ approvalId: asApprovalId(approvalId), until }] })

const statusesIn = async (store: Store) => {
  const all = ['a of s1', 'b of s1', 'a of s2', 'b of s2'].map((id) => store.approvals.get(id))
  return (await Promise.all(all)).map((approval) => approval?.status)
}

const costsIn = async (store: Store, from: number, until: number) =>
  (await store.costs.between(from, until)).toSorted((a, b) => a.usd - b.usd)

export function journalContract(store: () => Store): void {
  describe('a first step', () => {
    const created = aSession({ id: 's2', name: 'two', status: 'running', turn: 1, lastSeq: 2, updatedAt: 10 })
    const first = aStep(2, { sessionId: 's2', created, runs: [{ ...RUN, sessionId: 's2' }] })

    it('brings its session with it', async () => {
      expect(await store().journal.append(first)).toBe(2)
      expect(await store().sessions.get('s2')).toStrictEqual(created)
      expect((await store().events.read('s2', 0, 9)).map(({ seq }) => seq)).toEqual([1, 2])
    })

    it('stores nothing where the id or the name is taken', async () => {
      await store().sessions.create(aSession({ id: 's3', name: 'two' }))
      expect((await refusalOf(store().journal.append(first))).code).toBe('in_use')
      expect(await store().sessions.get('s2')).toBeUndefined()
      expect(await store().runs.get('r1')).toBeUndefined()
      await store().sessions.create(aSession({ id: 's2' }))
      expect((await refusalOf(store().journal.append(first))).code).toBe('in_use')
      expect(await store().events.read('s2', 0, 9)).toEqual([])
    })
  })

  describe('steps of several sessions that are given together', () => {
    beforeEach(async () => {
      for (const id of ['s1', 's2']) {
        await store().sessions.create(aSession({ id }))
        const opened = ['a', 'b'].map((name) => anApproval({ id: `${name} of ${id}`, sessionId: id }))
        await store().journal.append(aStep(1, { sessionId: id, opened }))
      }
    })

    it('are all stored, and the seq of the last is returned', async () => {
      expect(await store().journal.append([settling('s1', 'a', 'b'), settling('s2', 'a')])).toBe(2)
      expect(await statusesIn(store())).toEqual(['allowed', 'allowed', 'allowed', 'pending'])
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 3 })
      expect(await rangeOf(store(), 's2')).toEqual({ first: 1, last: 2 })
      expect(await store().journal.append([])).toBe(0)
    })

    it('are not stored where one of them is refused, whichever it is, and the error says which', async () => {
      await store().journal.append(settling('s2', 'b'))
      const steps = [settling('s1', 'a'), settling('s2', 'a', 'b')]
      for (const given of [steps, steps.toReversed()])
        for (const durable of [false, true]) {
          const refusal = await refusalOf(store().journal.append(given, { durable }))
          expect(refusal.code).toBe('already_settled')
          expect(refusal.data?.['approval']).toMatchObject({ id: 'b of s2', status: 'allowed' })
        }
      expect(await statusesIn(store())).toEqual(['pending', 'pending', 'pending', 'allowed'])
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 1 })
      expect(await rangeOf(store(), 's2')).toEqual({ first: 1, last: 2 })
      const gone = refusalOf(store().journal.append([settling('s1', 'a'), aStep(1, { sessionId: 'none' })]))
      expect((await gone).code).toBe('not_found')
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 1 })
    })

    it('are won by one of those who settle at the same time, whole', async () => {
      const both = [settling('s1', 'a', 'b'), settling('s2', 'a')]
      const tries = [both, [settling('s2', 'a', 'b')], both.toReversed(), [settling('s1', 'b')]]
      const results = await Promise.allSettled(tries.map((steps) => store().journal.append(steps)))
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
      expect(await statusesIn(store())).toEqual(['allowed', 'allowed', 'allowed', 'pending'])
    })
  })

  describe('what was spent', () => {
    beforeEach(async () => {
      for (const id of ['s1', 's2']) await store().sessions.create(aSession({ id, owner: `owner of ${id}` }))
      for (const [sessionId, at, spent] of [
        ['s1', 10, 0.25],
        ['s2', 10, 1],
        ['s1', 20, 0.5],
        ['s1', 30, 4],
      ] as const)
        await store().journal.append(
          aStep(1, { sessionId, at, spent: [{ model: 'm', usd: spent, tokens: 10 }] }),
        )
    })

    it('is summed up by session, from a time and up to another', async () => {
      expect(await costsIn(store(), 10, 30)).toEqual([
        { sessionId: 's1', owner: 'owner of s1', model: 'm', usd: 0.75, tokens: 20 },
        { sessionId: 's2', owner: 'owner of s2', model: 'm', usd: 1, tokens: 10 },
      ])
      expect(await costsIn(store(), 31, 99)).toEqual([])
    })

    it('stays when its session is removed, and not longer than it is kept', async () => {
      await store().sessions.remove('s1')
      expect(await costsIn(store(), 10, 31)).toHaveLength(2)
      await store().costs.removeBefore(20)
      expect(await costsIn(store(), 0, 99)).toMatchObject([{ sessionId: 's1', usd: 4.5 }])
    })

    it('is summed up by model', async () => {
      const spent = [
        { model: 'm', usd: 1, tokens: 5 },
        { model: 'n', usd: 2, tokens: 0 },
      ]
      await store().journal.append(aStep(1, { sessionId: 's2', at: 40, spent }))
      const found = await costsIn(store(), 40, 41)
      expect(found.map(({ model, usd, tokens }) => ({ model, usd, tokens }))).toEqual(spent)
    })

    it('is kept of removed sessions for those above, until the topmost is removed', async () => {
      const spent = { tokens: 5, turnTokens: 1, toolCalls: 2, workMs: 3 }
      const { sessions, costs } = store()
      await sessions.create(aSession({ id: 'a', parentId: 's1', costUsd: 1, spent }))
      await sessions.create(aSession({ id: 'b', parentId: 'a', costUsd: 2, model: 'm' }))
      await sessions.create(aSession({ id: 'c', parentId: 'gone', costUsd: 4 }))
      for (const id of ['b', 'a', 'c']) await sessions.remove(id)
      expect(await costs.removedBelow(['s1', 'gone'])).toEqual([
        { id: 'a', parentId: 's1', costUsd: 1, spent },
      ])
      expect(await costs.removedBelow(['a'])).toEqual([{ id: 'b', parentId: 'a', costUsd: 2, model: 'm' }])
      await sessions.remove('s1')
      expect(await costs.removedBelow(['s1', 'a'])).toEqual([])
    })
  })

  describe('more time for a question', () => {
    beforeEach(async () => {
      await store().sessions.create(aSession())
      await store().journal.append(aStep(1, { opened: [anApproval()] }))
    })

    it('is stored with it until it is settled', async () => {
      expect((await store().approvals.pendingIds())[0]).not.toHaveProperty('extendedUntil')
      await store().journal.append(extending(50))
      await store().journal.append(extending(90))
      expect(await store().approvals.get('a1')).toMatchObject({ status: 'pending', extendedUntil: 90 })
      expect(await store().approvals.pendingIds()).toMatchObject([{ id: 'a1', extendedUntil: 90 }])
      await store().journal.append(aStep(1, { settled: [ALLOW] }))
      expect(await store().approvals.get('a1')).not.toHaveProperty('extendedUntil')
    })

    it('is refused for one that is settled or not there, and nothing is stored', async () => {
      await store().journal.append(aStep(1, { settled: [ALLOW] }))
      expect((await refusalOf(store().journal.append(extending(90)))).code).toBe('already_settled')
      expect((await refusalOf(store().journal.append(extending(90, 'none')))).code).toBe('not_found')
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 2 })
      expect(await store().approvals.get('a1')).toMatchObject({ status: 'allowed', by: 'operator' })
    })
  })

  describe('a step', () => {
    beforeEach(() => store().sessions.create(aSession({ name: 'one' })))

    it('stores every row it has, and the session as it is after it', async () => {
      const { lastSeq: _, updatedAt: __, ...after } = aSession({ status: 'running', turn: 1, costUsd: 0.25 })
      const last = await store().journal.append(
        aStep(3, { session: after, runs: [RUN], turns: [TURN], nodes: [NODE], opened: [anApproval()] }),
      )
      expect(last).toBe(3)
      expect(await store().sessions.get('s1')).toStrictEqual({
        ...after,
        name: 'one',
        lastSeq: 3,
        updatedAt: 10,
      })
      expect(await store().runs.get('r1')).toStrictEqual(RUN)
      expect(await store().turns.get('s1', 1)).toStrictEqual(TURN)
      expect(await store().nodes.get('n1')).toStrictEqual(NODE)
      expect(await store().approvals.get('a1')).toStrictEqual(anApproval())
    })

    it('changes where its session is found', async () => {
      await store().sessions.create(aSession({ id: 's2', updatedAt: 5 }))
      const listed = async (filter: object) => idsOf(await store().sessions.list({ limit: 9, ...filter }))
      expect(await listed({})).toEqual(['s2', 's1'])
      await store().journal.append(
        aStep(0, { session: aSession({ status: 'running', owner: 'x', parentId: 'y' }) }),
      )
      expect(await listed({})).toEqual(['s1', 's2'])
      for (const filter of [{ status: ['running'] }, { owner: 'x' }, { parentId: 'y' }]) {
        expect(await listed(filter)).toEqual(['s1'])
      }
    })

    it('clears what its session no longer has, but never the name', async () => {
      const failed = aSession({ status: 'failed', error: { code: 'x', message: 'y' }, model: 'opus' })
      await store().journal.append(aStep(0, { session: failed }))
      await store().sessions.rename('s1', 'two')
      await store().journal.append(aStep(0, { session: aSession({ name: 'one' }) }))
      expect(await store().sessions.get('s1')).toStrictEqual(aSession({ name: 'two', updatedAt: 10 }))
    })

    it('without events returns the last seq there is', async () => {
      expect(await store().journal.append(aStep(0))).toBe(0)
      await store().journal.append(aStep(2))
      expect(await store().journal.append(aStep(0, { at: 20 }))).toBe(2)
      expect((await store().sessions.get('s1'))?.updatedAt).toBe(20)
    })

    it('puts runs, turns and nodes in the place of those with the same id', async () => {
      await store().journal.append(
        aStep(0, { runs: [RUN, { ...RUN, id: 'r2' }], turns: [{ ...TURN, number: 2 }, TURN], nodes: [NODE] }),
      )
      const ended: Run = { ...RUN, offset: 99, endedAt: 12 }
      const over: Turn = { ...TURN, lastSeq: 9, assistantUuid: 'u', outcome: 'done' }
      const child: TreeNode = { ...NODE, id: 'n2', parentId: 'n1', title: 'Next' }
      await store().journal.append(
        aStep(0, { runs: [ended], turns: [over], nodes: [{ ...NODE, assistantUuid: 'u' }, child] }),
      )
      expect(await store().runs.ofSession('s1')).toStrictEqual([ended, { ...RUN, id: 'r2' }])
      expect(await store().runs.live()).toStrictEqual([{ ...RUN, id: 'r2' }])
      expect(await store().runs.get('none')).toBeUndefined()
      expect(await store().turns.list('s1')).toStrictEqual([over, { ...TURN, number: 2 }])
      expect(await store().turns.get('s1', 3)).toBeUndefined()
      expect(await store().nodes.get('n1')).toStrictEqual({ ...NODE, assistantUuid: 'u' })
      expect(await store().nodes.get('n2')).toStrictEqual(child)
      expect(await store().nodes.children('n1')).toStrictEqual([child])
      expect(await store().nodes.children('n2')).toEqual([])
      expect(await store().nodes.get('none')).toBeUndefined()
    })

    it('of a session that is not there is refused', async () => {
      const refusal = await refusalOf(store().journal.append(aStep(1, { sessionId: 'none' })))
      expect(refusal.code).toBe('not_found')
      expect(refusal.message).toContain('none')
      const elsewhere = [anApproval({ sessionId: 'none' })]
      expect((await refusalOf(store().journal.append(aStep(1, { opened: elsewhere })))).code).toBe(
        'not_found',
      )
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 0 })
    })

    it('that fails leaves no event, no offset and no row, and uses no seq', async () => {
      await store().journal.append(aStep(1, { runs: [RUN], opened: [anApproval()] }))
      await store().journal.append(aStep(1, { settled: [ALLOW] }))
      const before = await store().sessions.get('s1')
      const failing = aStep(4, {
        at: 50,
        session: aSession({ status: 'failed' }),
        runs: [{ ...RUN, offset: 77 }],
        turns: [TURN],
        nodes: [NODE],
        opened: [anApproval({ id: 'a2' })],
        settled: [
          { approvalId: 'a2', status: 'expired' },
          { approvalId: 'a1', status: 'denied' },
        ],
      })
      for (const durable of [false, true]) {
        expect((await refusalOf(store().journal.append(failing, { durable }))).code).toBe('already_settled')
      }
      expect(await store().sessions.get('s1')).toStrictEqual(before)
      expect(await store().runs.get('r1')).toStrictEqual(RUN)
      expect(await store().turns.list('s1')).toEqual([])
      expect(await store().nodes.get(NODE.id)).toBeUndefined()
      expect(await store().approvals.get('a2')).toBeUndefined()
      expect((await store().approvals.get('a1'))?.status).toBe('allowed')
      expect(await seqsOf(store(), 0, 9)).toEqual([1, 2])
      expect(await store().journal.append(aStep(1))).toBe(3)
    })
  })

  const offsetOf = async (id: string) => (await store().runs.get(`r-${id}`))?.offset

  describe('steps of several sessions at once', () => {
    const ids = ['s1', 's2', 's3']
    beforeEach(async () => {
      for (const id of ids) await store().sessions.create(aSession({ id }))
    })

    it('are all stored, those of one session in their order', async () => {
      const steps = [stepOf('s1', 10), stepOf('s2', 20), stepOf('s1', 11), stepOf('s3', 30), stepOf('s1', 12)]
      const lasts = steps.map((step, at) => store().journal.append(step, { durable: at === 2 }))
      expect(await Promise.all(lasts)).toEqual([2, 2, 4, 2, 6])
      expect(await seqsOf(store(), 0, 9)).toEqual([1, 2, 3, 4, 5, 6])
      expect(await Promise.all(ids.map(offsetOf))).toEqual([12, 20, 30])
    })

    it('fail each by itself', async () => {
      await store().journal.append(aStep(0, { sessionId: 's2', opened: [anApproval({ sessionId: 's2' })] }))
      await store().journal.append(aStep(0, { sessionId: 's2', settled: [ALLOW] }))
      const steps = [
        stepOf('s1', 10, { opened: [anApproval({ id: 'a9' })] }),
        stepOf('s2', 20, { settled: [{ approvalId: asApprovalId('a1'), status: 'denied' }] }),
        stepOf('none', 40),
        stepOf('s3', 30),
      ]
      const results = await Promise.all(
        steps.map((step) =>
          store()
            .journal.append(step)
            .catch((error: AppError) => error.code),
        ),
      )
      expect(results).toEqual([2, 'already_settled', 'not_found', 2])
      expect(await Promise.all(ids.map(offsetOf))).toEqual([10, undefined, 30])
      expect((await store().approvals.get('a1'))?.status).toBe('allowed')
      expect((await store().approvals.get('a9'))?.status).toBe('pending')
      expect(await rangeOf(store(), 's2')).toEqual({ first: 1, last: 0 })
    })

    it('settle a question once, whoever asks for it', async () => {
      await store().journal.append(aStep(0, { opened: [anApproval()] }))
      const results = await Promise.allSettled(
        (['allowed', 'denied', 'expired'] as const).map((status) =>
          store().journal.append(aStep(1, { settled: [{ approvalId: 'a1', status }] }), { durable: true }),
        ),
      )
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect((await store().approvals.get('a1'))?.status).toBe('allowed')
      expect(await rangeOf(store(), 's1')).toEqual({ first: 1, last: 1 })
    })
  })
}

function stepOf(sessionId: string, offset: number, rest: Partial<Step> = {}): Step {
  return aStep(2, { sessionId, runs: [{ ...RUN, id: `r-${sessionId}`, sessionId, offset }], ...rest })
}
