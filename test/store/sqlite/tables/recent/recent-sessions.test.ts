import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../../../src/store/sqlite/open.ts'
import { refusalOf } from '../../../../contracts/refusal.ts'
import { aSession } from '../../../../contracts/rows.ts'
import { temporaryFolder } from '../../../../rig/cli/real-cli.ts'
import { asSessionId } from '../../../../rig/tools/ids.ts'
import { runs } from '../../../../rig/tools/property-runs.ts'

const unknown = { approvalId: 'none', status: 'withdrawn' } as const
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ say: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ status: fc.constantFrom('running' as const, 'waiting' as const) }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom('one', 'two', undefined) }) },
  { weight: 2, arbitrary: fc.record({ fail: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constantFrom('remove' as const, 'read' as const) },
)

test('whatever is stored, renamed and removed, a session that is read through memory is what the database has', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path)
  // It writes nothing, so it keeps nothing.
  const plain = await openSqliteStore(path)
  const session = aSession({ id: 's1' })
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 20, size: 'max' }), async (all) => {
      await store.sessions.remove('s1')
      await store.sessions.create(session)
      const append = (at: number, more: object = {}) =>
        store.journal.append({
          sessionId: asSessionId('s1'),
          at,
          events: [{ turn: 1, event: { type: 'text', text: 'x' } }],
          ...more,
        })
      for (const step of all) {
        if (step === 'remove') {
          await store.sessions.remove('s1')
          await store.sessions.create(session)
        } else if (step === 'read') await store.sessions.get('s1')
        else if ('say' in step) await append(step.say)
        else if ('status' in step) await append(3, { session: { ...session, status: step.status } })
        else if ('name' in step) await store.sessions.rename('s1', step.name)
        else
          await refusalOf(
            append(step.fail, { session: { ...session, status: 'failed' }, settled: [unknown] }),
          )
        expect(await store.sessions.get('s1')).toEqual(await plain.sessions.get('s1'))
      }
    }),
    { numRuns: runs(200) },
  )
  await Promise.all([store.close(), plain.close()])
})
