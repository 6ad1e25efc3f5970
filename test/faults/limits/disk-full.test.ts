import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { ALLOW, aSession, anApproval, aStep, seqsOf, rangeOf } from '../../contracts/rows.ts'

describe('R7: a store on a full disk', () => {
  it('stores nothing of a step, says so, and continues when there is space', async (test) => {
    await onSmallDisk(test, async (folder) => {
      const ballast = join(folder, 'ballast')
      await writeFile(ballast, Buffer.alloc(2 * 1024 * 1024))
      const store = await openSqliteStore(join(folder, 'plexus.db'))
      await store.sessions.create(aSession())
      await store.journal.append(aStep(1, { opened: [anApproval()] }))

      const last = await fill(store)
      const big = { turn: 1, event: { type: 'text' as const, text: 'x'.repeat(200_000) } }
      for (const durable of [true, false]) {
        const answer = { ...aStep(0), events: [big], settled: [ALLOW] }
        const refusal = await refusalOf(store.journal.append(answer, { durable }))
        expect(refusal.code).toBe('storage_full')
        expect(refusal.message).toMatch(/^[^\n]+ is full and nothing was stored; free some space [^\n]+\.$/)
        expect((await store.approvals.get('a1'))?.status).toBe('pending')
        expect(await rangeOf(store, 's1')).toEqual({ first: 1, last })
      }

      await rm(ballast)
      expect(await store.journal.append(aStep(1, { settled: [ALLOW] }), { durable: true })).toBe(last + 1)
      await store.close()
      const again = await openSqliteStore(join(folder, 'plexus.db'))
      expect((await again.approvals.get('a1'))?.status).toBe('allowed')
      expect(await seqsOf(again, 0, last + 9)).toEqual(Array.from({ length: last + 1 }, (_, at) => at + 1))
      await again.close()
    })
  })

  it('is not opened when there is no space for what it needs beside its file', async (test) => {
    await onSmallDisk(test, async (folder) => {
      const path = join(folder, 'plexus.db')
      await makeElsewhere(path)
      await fillUp(folder)
      expect((await refusalOf(openSqliteStore(path))).code).toBe('storage_full')
      await rm(join(folder, 'ballast'))
      const store = await openSqliteStore(path)
      expect(await store.journal.append(aStep(1))).toBe(1)
      await store.close()
    })
  })

  it('is not made, for the same reason', async (test) => {
    await onSmallDisk(test, async (folder) => {
      await fillUp(folder)
      expect((await refusalOf(openSqliteStore(join(folder, 'plexus.db')))).code).toBe('storage_full')
      await rm(join(folder, 'ballast'))
      await (await openSqliteStore(join(folder, 'plexus.db'))).close()
    })
  })
})

async function fillUp(folder: string): Promise<void> {
  const filled = writeFile(join(folder, 'ballast'), Buffer.alloc(5 * 1024 * 1024))
  await expect(filled).rejects.toThrow('ENOSPC')
}

/** A database that comes alone, without the files that SQLite keeps beside it. */
async function makeElsewhere(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plexus-store-'))
  const store = await openSqliteStore(join(folder, 'plexus.db'))
  await store.sessions.create(aSession())
  await store.close()
  await copyFile(join(folder, 'plexus.db'), path)
  await rm(folder, { recursive: true })
}

/** Until nothing more goes in; the last seq that did. */
async function fill(store: Store): Promise<number> {
  const events = [{ turn: 1, event: { type: 'text' as const, text: 'x'.repeat(50_000) } }]
  for (let last = 0; ;) {
    try {
      last = await store.journal.append({ ...aStep(0), events })
    } catch {
      return last
    }
  }
}

async function onSmallDisk(test: TestContext, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plexus-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', folder])
  try {
    test.skip(mounted.status !== 0, 'needs the right to mount a small disk')
    await work(folder)
  } finally {
    if (mounted.status === 0) spawnSync('umount', ['-l', folder])
    await rm(folder, { recursive: true })
  }
}
