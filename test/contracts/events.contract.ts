import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from './refusal.ts'
import { aSession, aStep, seqsOf } from './rows.ts'

export function eventsContract(store: () => Store): void {
  describe('the feed', () => {
    beforeEach(async () => {
      await store().sessions.create(aSession())
      await store().sessions.create(aSession({ id: 's2' }))
      for (const [count, sessionId] of [
        [2, 's1'],
        [1, 's2'],
        [0, 's2'],
        [1, 's1'],
      ] as const)
        await store().journal.append(aStep(count, { sessionId }))
    })

    it('has the steps of all sessions in the order of storing, those without events left out', async () => {
      expect(await store().feed.position()).toBe(3)
      expect(await positionsOf(store(), 0)).toEqual({
        steps: [
          ['s1', 1, 2],
          ['s2', 1],
          ['s1', 3],
        ],
        position: 3,
      })
      expect(await positionsOf(store(), 0, 2)).toMatchObject({ position: 2 })
      expect(await positionsOf(store(), 2)).toEqual({ steps: [['s1', 3]], position: 3 })
      expect(await positionsOf(store(), 3)).toEqual({ steps: [], position: 3 })
    })

    it('passes over a session that was removed, and uses no position twice', async () => {
      await store().sessions.remove('s1')
      expect(await positionsOf(store(), 0)).toEqual({ steps: [['s2', 1]], position: 3 })
      await store().journal.append(aStep(1, { sessionId: 's2' }))
      expect(await positionsOf(store(), 3)).toEqual({ steps: [['s2', 2]], position: 4 })
    })

    it('has no step of a removed session as one of the next with the same id', async () => {
      await store().sessions.remove('s1')
      await store().sessions.create(aSession())
      await store().journal.append(aStep(2, { sessionId: 's1' }))
      expect(await positionsOf(store(), 0)).toEqual({
        steps: [
          ['s2', 1],
          ['s1', 1, 2],
        ],
        position: 4,
      })
    })

    it('names a position that it never gave out', async () => {
      expect(await positionsOf(store(), 99)).toEqual({ steps: [], position: 3, missed: true })
    })
  })

  describe('events', () => {
    beforeEach(() => store().sessions.create(aSession()))

    it('come back as they were, NUL and half characters included', async () => {
      const text = 'a\u0000b \ud800 \u2028 ü 🎉'
      await store().journal.append({
        ...aStep(0),
        events: [{ turn: 3, event: { type: 'line.unknown', line: { [text]: [1.5, null, text] } } }],
      })
      expect(await store().events.read('s1', 0, 9)).toStrictEqual([
        { seq: 1, turn: 3, at: 10, event: { type: 'line.unknown', line: { [text]: [1.5, null, text] } } },
      ])
    })

    it('are read after a seq, oldest first, a page at a time', async () => {
      await store().journal.append(aStep(3))
      await store().journal.append(aStep(2))
      expect(await seqsOf(store(), 0, 9)).toEqual([1, 2, 3, 4, 5])
      expect(await seqsOf(store(), 0, 2)).toEqual([1, 2])
      expect(await seqsOf(store(), 2, 2)).toEqual([3, 4])
      expect(await seqsOf(store(), 5, 2)).toEqual([])
      expect(await seqsOf(store(), 99, 2)).toEqual([])
      expect(await seqsOf(store(), 0, 0)).toEqual([])
      expect(await store().events.read('none', 0, 9)).toEqual([])
    })

    it('are counted in each session for itself', async () => {
      await store().sessions.create(aSession({ id: 's2' }))
      await store().journal.append(aStep(3))
      expect(await store().journal.append(aStep(2, { sessionId: 's2' }))).toBe(2)
      expect(await store().journal.append(aStep(1))).toBe(4)
    })

    it('are removed with their session however many they are, and others are served meanwhile', async () => {
      await store().sessions.create(aSession({ id: 's2' }))
      await store().journal.append(aStep(9000))
      const removed = store().sessions.remove('s1')
      expect(await store().journal.append(aStep(1, { sessionId: 's2' }))).toBe(1)
      await removed
      expect(await seqsOf(store(), 0, 9999)).toEqual([])
      expect(await store().events.read('s2', 0, 9)).toHaveLength(1)
    })
  })

  describe('readers', () => {
    beforeEach(() => store().sessions.create(aSession()))

    it('have a cursor each that never goes back', async () => {
      expect(await store().readers.get('s1', 'me')).toBe(0)
      await store().readers.advance('s1', 'me', 5)
      await store().readers.advance('s1', 'me', 3)
      await store().readers.advance('s1', 'another', 1)
      expect(await store().readers.get('s1', 'me')).toBe(5)
      expect(await store().readers.get('s1', 'another')).toBe(1)
      expect(await store().readers.get('none', 'me')).toBe(0)
    })

    it('are moved only from where they are, so that of two at once one has moved', async () => {
      const move = (from: number, to: number) => store().readers.move('s1', 'me', { from, to })
      expect(await Promise.all([move(0, 2), move(0, 3)])).toEqual([true, false])
      expect([await move(2, 5), await move(2, 6), await move(0, 7)]).toEqual([true, false, false])
      expect(await store().readers.get('s1', 'me')).toBe(5)
      const nobody = store().readers.move('none', 'me', { from: 0, to: 1 })
      expect((await refusalOf(nobody)).code).toBe('not_found')
    })

    it('need a session', async () => {
      expect((await refusalOf(store().readers.advance('none', 'me', 1))).code).toBe('not_found')
    })
  })
}

async function positionsOf({ feed }: Store, after: number, limit = 9) {
  const { steps, ...rest } = await feed.read(after, limit)
  return {
    steps: steps.map(({ sessionId, events }) => [sessionId, ...events.map(({ seq }) => seq)]),
    ...rest,
  }
}
