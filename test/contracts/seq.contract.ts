import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import type { Step } from '../../src/sessions/record/journal.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { aSession, anApproval, aStep } from './rows.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const SESSIONS = ['s1', 's2'] as const

const Action = fc.record({
  what: fc.constantFrom('append', 'append', 'append', 'fail', 'reopen'),
  sessionId: fc.constantFrom(...SESSIONS),
  events: fc.nat({ max: 4 }),
  durable: fc.boolean(),
  why: fc.constantFrom('settled', 'unknown', 'unwritable'),
})
type Action = typeof Action extends fc.Arbitrary<infer T> ? T : never

/** I6, for any order of steps, steps that fail and restarts. */
export function seqContract(open: () => Promise<Store>, reopen: (store: Store) => Promise<Store>): void {
  it('I6: seq begins at 1, has no gap and is never used again', async () => {
    const runs = fc.asyncProperty(fc.array(Action, { maxLength: 25 }), async (actions) => {
      let store = await open()
      const last = { s1: 0, s2: 0 }
      for (const id of SESSIONS) {
        await store.sessions.create(aSession({ id }))
        const settled = anApproval({ id: `a-${id}`, sessionId: id, status: 'denied', settledAt: 1 })
        await store.journal.append(aStep(0, { sessionId: id, opened: [settled] }))
      }
      for (const action of actions) {
        if (action.what === 'reopen') store = await reopen(store)
        const result = await resultOf(store, action)
        if (action.what === 'append') last[action.sessionId] += action.events
        expect(result).toBe(action.what === 'append' ? last[action.sessionId] : action.what)
        for (const id of SESSIONS) expect(await storedIn(store, id)).toEqual(seqsUpTo(last[id]))
      }
      await store.close()
    })
    await fc.assert(runs, { numRuns: 40 })
    expect.hasAssertions()
  })
}

async function resultOf(store: Store, { what, sessionId, events, durable, why }: Action) {
  if (what === 'append') return store.journal.append(aStep(events, { sessionId }), { durable })
  if (what !== 'fail') return what
  return store.journal.append(failingStep(sessionId, events, why), { durable }).catch(() => 'fail')
}

function failingStep(sessionId: string, count: number, why: Action['why']): Step {
  const step = aStep(count, { sessionId })
  // What cannot be written down fails in the middle, when the events before it are in the table.
  const unwritable = { type: 'line.unknown', line: 1n } as SessionEvent
  if (why === 'unwritable') return { ...step, events: [...step.events, { turn: 1, event: unwritable }] }
  const approvalId = why === 'unknown' ? 'none' : `a-${sessionId}`
  return { ...step, settled: [{ approvalId: asApprovalId(approvalId), status: 'allowed' }] }
}

async function storedIn(store: Store, id: string) {
  const events = await store.events.read(id, 0, 1000)
  return { last: (await store.sessions.get(id))?.lastSeq, seqs: events.map(({ seq }) => seq) }
}

function seqsUpTo(last: number) {
  return { last, seqs: Array.from({ length: last }, (_, index) => index + 1) }
}
