import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/sessions/record/session.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from './refusal.ts'
import { GRANT, NODE, RUN, TURN, aSession, aStep, anApproval, idsOf } from './rows.ts'

export function sessionsContract(store: () => Store): void {
  describe('sessions', () => {
    it('come back as they were created, by id and by name', async () => {
      const full = aSession({ name: 'one', parentId: 'p', model: 'opus', error: { code: 'x', message: 'y' } })
      await store().sessions.create(full)
      expect(await store().sessions.get('s1')).toStrictEqual(full)
      expect(await store().sessions.byName('one')).toStrictEqual(full)
      expect(await store().sessions.get('other')).toBeUndefined()
      expect(await store().sessions.byName('other')).toBeUndefined()
    })

    it('sessions are found by the beginning of their id', async () => {
      for (const id of ['abcd-1', 'abcd-2', 'abce-1']) await store().sessions.create(aSession({ id }))
      expect(idsOf(await store().sessions.byIdPrefix('abcd', 5)).toSorted()).toEqual(['abcd-1', 'abcd-2'])
      expect(await store().sessions.byIdPrefix('abcd', 1)).toHaveLength(1)
      expect(idsOf(await store().sessions.byIdPrefix('abcd-2', 5))).toEqual(['abcd-2'])
      expect(await store().sessions.byIdPrefix('b', 5)).toEqual([])
    })

    it('begin with seq 0, whatever was said at their creation', async () => {
      await store().sessions.create(aSession({ lastSeq: 7 }))
      expect((await store().sessions.get('s1'))?.lastSeq).toBe(0)
      expect(await store().journal.append(aStep(1))).toBe(1)
    })

    it('cannot be changed through what was given or returned', async () => {
      const given = aSession()
      await store().sessions.create(given)
      given.config.model = 'changed'
      const returned = await store().sessions.get('s1')
      if (returned) returned.config.model = 'another'
      expect(await store().sessions.get('s1')).toStrictEqual(aSession())
    })

    it('refuse an id or a name that is taken, and change nothing', async () => {
      await store().sessions.create(aSession({ name: 'one' }))
      await store().sessions.create(aSession({ id: 's2' }))
      const refusals = [
        store().sessions.create(aSession({ name: 'other' })),
        store().sessions.create(aSession({ id: 's3', name: 'one' })),
        store().sessions.rename('s2', 'one'),
      ]
      for (const work of refusals) expect((await refusalOf(work)).code).toBe('in_use')
      expect(idsOf(await store().sessions.list({ limit: 9 }))).toEqual(['s2', 's1'])
      expect((await store().sessions.get('s2'))?.name).toBeUndefined()
    })

    it('are counted by status', async () => {
      const none = { idle: 0, running: 0, waiting: 0, done: 0, failed: 0, interrupted: 0 }
      expect(await store().sessions.countByStatus()).toEqual(none)
      await store().sessions.create(aSession({ status: 'waiting' }))
      await store().sessions.create(aSession({ id: 's2', status: 'waiting' }))
      await store().sessions.create(aSession({ id: 's3', status: 'done' }))
      expect(await store().sessions.countByStatus()).toEqual({ ...none, waiting: 2, done: 1 })
    })

    it('are renamed, also to no name and to the name they have', async () => {
      await store().sessions.create(aSession({ name: 'one' }))
      await store().sessions.rename('s1', 'one')
      await store().sessions.rename('s1', 'two')
      expect(await store().sessions.get('s1')).toStrictEqual(aSession({ name: 'two' }))
      expect(await store().sessions.byName('one')).toBeUndefined()
      await store().sessions.rename('s1', undefined)
      expect(await store().sessions.get('s1')).toStrictEqual(aSession())
      expect((await refusalOf(store().sessions.rename('none', 'x'))).code).toBe('not_found')
    })

    it('are listed newest first, page by page, none twice when times are equal', async () => {
      const times = [5, 1, 3, 3, 3, 9, 2]
      for (const [at, updatedAt] of times.entries()) {
        await store().sessions.create(aSession({ id: `s${at}`, updatedAt }))
      }
      const listed: Session[] = []
      for (let before: Session | undefined; ; before = listed.at(-1)) {
        const page = await store().sessions.list({ before, limit: 2 })
        if (page.length === 0) break
        listed.push(...page)
      }
      expect(idsOf(listed)).toEqual(['s5', 's0', 's4', 's3', 's2', 's6', 's1'])
    })

    it('are filtered by owner, parent and status, together or alone', async () => {
      await store().sessions.create(aSession({ id: 'a', owner: 'x', updatedAt: 4 }))
      await store().sessions.create(
        aSession({ id: 'b', owner: 'x', parentId: 'a', status: 'running', updatedAt: 3 }),
      )
      await store().sessions.create(
        aSession({ id: 'c', owner: 'y', parentId: 'a', status: 'waiting', updatedAt: 2 }),
      )
      await store().sessions.create(aSession({ id: 'd', owner: 'y', status: 'running', updatedAt: 1 }))
      const listed = async (filter: object) => idsOf(await store().sessions.list({ limit: 9, ...filter }))
      expect(await listed({ owner: 'x' })).toEqual(['a', 'b'])
      expect(await listed({ parentId: 'a' })).toEqual(['b', 'c'])
      expect(await listed({ status: ['running', 'waiting'] })).toEqual(['b', 'c', 'd'])
      expect(await listed({ status: [] })).toEqual([])
      expect(await listed({ owner: 'y', parentId: 'a', status: ['waiting'] })).toEqual(['c'])
      expect(await listed({ status: ['running'], before: { updatedAt: 3, id: 'b' } })).toEqual(['d'])
    })

    it('take with them all that belongs to them and nothing else', async () => {
      for (const id of ['s1', 's2']) {
        await store().sessions.create(aSession({ id, name: id }))
        await store().journal.append(
          aStep(2, {
            sessionId: id,
            runs: [{ ...RUN, id: `r-${id}`, sessionId: id }],
            turns: [{ ...TURN, sessionId: id }],
            nodes: [{ ...NODE, id: `n-${id}`, sessionId: id }],
            opened: [anApproval({ id: `a-${id}`, sessionId: id })],
          }),
        )
        await store().readers.advance(id, 'me', 1)
        const granted = [{ ...GRANT, id: `g-${id}`, sessionId: id }]
        await store().journal.append(aStep(0, { sessionId: id, granted }))
      }
      const restOf = async (id: string) => [
        await store()
          .sessions.list({ limit: 9 })
          .then((rows) => rows.filter((row) => row.id === id).length),
        (await store().runs.ofSession(id)).length,
        (await store().turns.list(id)).length,
        (await store().nodes.ofSession(id)).length,
        (await store().approvals.ofSession(id)).length,
        (await store().readers.list(id)).length,
        (await store().grants.ofSession(id)).length,
        (await store().events.read(id, 0, 9)).length,
      ]
      await store().sessions.remove('s1')
      await store().sessions.remove('never there')
      expect(await restOf('s1')).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
      expect(await restOf('s2')).toEqual([1, 1, 1, 1, 1, 1, 1, 2])
      expect(await store().events.range('s1')).toEqual({ first: 1, last: 0 })
      // Its name and id are free again, and nothing of the old one comes back.
      await store().sessions.create(aSession({ name: 's1' }))
      expect(await store().journal.append(aStep(1))).toBe(1)
      expect(await restOf('s1')).toEqual([1, 0, 0, 0, 0, 0, 0, 1])
    })
  })
}
