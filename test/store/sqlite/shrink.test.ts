import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { aSession, seqsOf } from '../../contracts/rows.ts'
import { storeFolder } from '../../rig/hubs/store-folder.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

const MIB = 1 << 20

describe('R34: the file of a store', () => {
  const place = storeFolder()
  const size = async () => (await stat(place.path)).size

  async function fillAndEmpty(): Promise<{ full: number; empty: number }> {
    const store = await openSqliteStore(place.path)
    for (const id of ['s1', 's2']) await store.sessions.create(aSession({ id }))
    const event = { turn: 1, event: { type: 'text' as const, text: 'x'.repeat(100_000) } }
    const many = Array.from({ length: 200 }, () => event)
    await store.journal.append({ sessionId: asSessionId('s2'), at: 1, events: many })
    await store.journal.append({ sessionId: asSessionId('s1'), at: 1, events: [event] })
    await store.sessions.remove('s2')
    await store.close()
    const full = await size()
    const again = await openSqliteStore(place.path)
    await again.shrink()
    const empty = await size()
    expect(await seqsOf(again, 0, 9)).toEqual([1])
    await again.close()
    return { full, empty }
  }

  test('R34: shrinks when what was in it is removed', async () => {
    const { full, empty } = await fillAndEmpty()
    expect(full).toBeGreaterThan(19 * MIB)
    expect(empty).toBeLessThan(6 * MIB)
  })

  test('R34: shrinks also if an earlier version made it', async () => {
    const old = openDatabase(place.path)
    old.exec(`${MIGRATIONS[0] ?? ''}; PRAGMA user_version = 1`)
    old.close()
    const { empty } = await fillAndEmpty()
    expect(empty).toBeLessThan(6 * MIB)
  })
})
