import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import type { Step } from '../../src/sessions/record/journal.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { aSession, anApproval, aStep } from './rows.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const SESSIONS = ['s1', 's2'] as const

const Action = fc.record({
  what: fc.constantFrom('append', 'append', 'append', 'fail', 'trim', 'reopen'),
  sessionId: fc.constantFrom(...SESSIONS),
  events: fc.nat({ max: 4 }),
  durable: fc.boolean(),
  why: fc.constantFrom('settled', 'unknown', 'unwritable'),
  seq: fc.nat({ max: 30 }),
})
type Action = typeof Action extends fc.Arbitrary<infer T> ? T : never

interface Kept {
  first: number
  last: number
}

/** I6, for any order of steps, steps that fail, trims and restarts. */
export function seqContract(open: () => Promise<Store>, reopen: (store: Store) => Promise<Store>): void {
  it('I6: seq begins at 1, has no gap and is never used again', async () => {
    const runs = fc.asyncProperty(fc.array(Action, { maxLength: 25 }), async (actions) => {
      let store = await open()
      const expected = { s1: { first: 1, last: 0 }, s2: { first: 1, last: 0 } }
      for (const id of SESSIONS) {
        await store.sessions.create(aSession({ id }))
        const settled = anApproval({ id: `a-${id}`, sessionId: id, status: 'denied', settledAt: 1 })
        await store.journal.append(aStep(0, { sessionId: id, opened: [settled] }))
      }
      for (const action of actions) {
        if (action.what === 'reopen') store = await reopen(store)
        const result = await resultOf(store, action)
        expected[action.sessionId] = after(expected[action.sessionId], action)
        expect(result).toBe(action.what === 'append' ? expected[action.sessionId].last : action.what)
        for (const id of SESSIONS) expect(await keptBy(store, id)).toEqual(seqsIn(expected[id]))
      }
      await store.close()
    })
    await fc.assert(runs, { numRuns: 40 })
    expect.hasAssertions()
  })
}

async function resultOf(store: Store, { what, sessionId, events, durable, why, seq }: Action) {
  if (what === 'append') return store.journal.append(aStep(events, { sessionId }), { durable })
  if (what === 'trim') await store.events.trim(sessionId, seq)
  if (what !== 'fail') return what
  return store.journal.append(failingStep(sessionId, events, why), { durable }).catch(() => 'fail')
}

/** What the port says, in three lines. */
function after({ first, last }: Kept, { what, events, seq }: Action): Kept {
  if (what === 'append') return { first, last: last + events }
  return what === 'trim' ? { first: Math.max(first, Math.min(seq, last)), last } : { first, last }
}

function failingStep(sessionId: string, count: number, why: Action['why']): Step {
  const step = aStep(count, { sessionId })
  // What cannot be written down fails in the middle, when the events before it are in the table.
  const unwritable = { type: 'line.unknown', line: 1n } as SessionEvent
  if (why === 'unwritable') return { ...step, events: [...step.events, { turn: 1, event: unwritable }] }
  const approvalId = why === 'unknown' ? 'none' : `a-${sessionId}`
  return { ...step, settled: [{ approvalId: asApprovalId(approvalId), status: 'allowed' }] }
}

async function keptBy(store: Store, id: string) {
  const range = await store.events.range(id)
  const events = await store.events.read(id, 0, 1000)
  return { range, last: (await store.sessions.get(id))?.lastSeq, seqs: events.map(({ seq }) => seq) }
}

function seqsIn(range: Kept) {
  const { first, last } = range
  return { range, last, seqs: Array.from({ length: last - first + 1 }, (_, at) => first + at) }
}
