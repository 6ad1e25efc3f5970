import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../../../src/events/session-event.ts'
import { openSqliteStore } from '../../../../../src/store/sqlite/open.ts'
import { refusalOf } from '../../../../contracts/refusal.ts'
import { aSession, RUN, rangeOf } from '../../../../contracts/rows.ts'
import { temporaryFolder } from '../../../../rig/cli/real-cli.ts'
import { asSessionId } from '../../../../rig/tools/ids.ts'
import { runs } from '../../../../rig/tools/property-runs.ts'

const text = (characters: number): SessionEvent => ({ type: 'text', text: 'é'.repeat(characters) })
const unknown = { approvalId: 'none', status: 'withdrawn' } as const
/** Large ones fill the memory of a session by themselves. */
const size = fc.oneof({ weight: 40, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.constant(400_000) })
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ append: fc.array(size, { maxLength: 8 }), run: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ fail: fc.array(size, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.constantFrom('end the run' as const, 'remove' as const) },
)

test('I7: whatever is stored and removed, what is read through memory is what the database has', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path, { recentEvents: 5 })
  const plain = await openSqliteStore(path, { recentEvents: 0 })
  const session = aSession({ id: 's1' })
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 20 }), async (all) => {
      await store.sessions.remove('s1')
      await store.sessions.create(session)
      const append = (sizes: readonly number[], more: object = {}) =>
        store.journal.append({
          sessionId: asSessionId('s1'),
          at: 7,
          events: sizes.map((one, turn) => ({ turn, event: text(one) })),
          ...more,
        })
      for (const step of all) {
        if (step === 'end the run') await append([1], { runs: [{ ...RUN, endedAt: 9 }] })
        else if (step === 'remove') {
          await store.sessions.remove('s1')
          await store.sessions.create(session)
        } else if ('fail' in step) await refusalOf(append(step.fail, { runs: [RUN], settled: [unknown] }))
        else await append(step.append, step.run ? { runs: [RUN] } : {})
        const { last } = await rangeOf(plain, 's1')
        for (let after = Math.max(0, last - 7); after <= last + 1; after++)
          for (const limit of [2, 100])
            expect(await store.events.read('s1', after, limit)).toEqual(
              await plain.events.read('s1', after, limit),
            )
      }
    }),
    { numRuns: runs(50) },
  )
  await store.close()
  await plain.close()
})

test('who follows a session with a process is served from memory, and what is taken out of it is nobody else’s', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path, { recentEvents: 2 })
  await store.sessions.create(aSession({ id: 's1' }))
  const events = [1, 2, 3].map((turn) => ({ turn, event: text(turn) }))
  await store.journal.append({ sessionId: asSessionId('s1'), at: 7, events, runs: [RUN] })
  const [row] = await store.events.read('s1', 1, 1)
  Object.assign(row?.event ?? {}, { text: 'changed' })
  await store.close()
  expect(await store.events.read('s1', 1, 9)).toEqual([
    { seq: 2, turn: 2, at: 7, event: text(2) },
    { seq: 3, turn: 3, at: 7, event: text(3) },
  ])
  await expect(store.events.read('s1', 0, 1)).rejects.toThrow('closed')
})

test('of a session whose process has ended nothing is kept in memory', async () => {
  const store = await openSqliteStore(join(await temporaryFolder(), 'plexus.db'))
  await store.sessions.create(aSession({ id: 's1' }))
  const events = [{ turn: 1, event: text(1) }]
  await store.journal.append({ sessionId: asSessionId('s1'), at: 7, events, runs: [RUN] })
  await store.journal.append({ sessionId: asSessionId('s1'), at: 7, events, runs: [{ ...RUN, endedAt: 9 }] })
  await store.journal.append({ sessionId: asSessionId('s1'), at: 7, events })
  expect(await store.events.read('s1', 0, 9)).toHaveLength(3)
  await store.close()
  await expect(store.events.read('s1', 2, 9)).rejects.toThrow('closed')
})
