import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../../../src/store/sqlite/open.ts'
import { RecentSteps } from '../../../../../src/store/sqlite/tables/recent/recent-steps.ts'
import { aSession, aStep } from '../../../../contracts/rows.ts'
import { temporaryFolder } from '../../../../rig/cli/real-cli.ts'
import { asSessionId } from '../../../../rig/tools/ids.ts'
import { runs } from '../../../../rig/tools/property-runs.ts'

const IDS = ['s1', 's2'] as const
const id = fc.constantFrom(...IDS)
const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ append: id, events: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ replace: id }) },
)

test('whatever is stored and removed, the feed through memory is the feed of the database', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path)
  // It stores nothing, and so has nothing in memory.
  const plain = await openSqliteStore(path)
  for (const each of IDS) await store.sessions.create(aSession({ id: each }))
  const start = await store.feed.position()
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 20 }), fc.nat(8), async (all, behind) => {
      for (const step of all) {
        if ('append' in step) await store.journal.append(aStep(step.events, { sessionId: step.append }))
        else {
          // The conversation of a terminal gets a session with the same id again.
          await store.sessions.remove(step.replace)
          await store.sessions.create(aSession({ id: step.replace }))
        }
      }
      const newest = await store.feed.position()
      const after = Math.max(start, newest - behind)
      for (const limit of [1, 3, 100])
        expect(await store.feed.read(after, limit)).toStrictEqual(await plain.feed.read(after, limit))
    }),
    { numRuns: runs(200) },
  )
  await store.close()
  await plain.close()
})

const row = (n: number) => ({ n, id: asSessionId('s1'), last: n, count: 1 })

test('it knows what follows on a position that it has, and nothing of earlier ones or of a gap', () => {
  const recent = new RecentSteps()
  expect(recent.read(0, 9)).toBeUndefined()
  for (const n of [5, 6, 7]) recent.add(row(n))
  expect(recent.read(3, 9)).toBeUndefined()
  expect(recent.read(4, 2)).toEqual([row(5), row(6)])
  expect(recent.read(7, 9)).toEqual([])
  expect(recent.read(8, 9)).toBeUndefined()
  recent.add(row(9))
  expect(recent.read(7, 9)).toBeUndefined()
  expect(recent.read(8, 9)).toEqual([row(9)])
})

test('it forgets the oldest', () => {
  const recent = new RecentSteps()
  for (let n = 1; n <= 5_000; n++) recent.add(row(n))
  expect(recent.read(0, 9)).toBeUndefined()
  expect(recent.read(4_999, 9)).toEqual([row(5_000)])
})
