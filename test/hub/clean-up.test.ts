import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanUp } from '../../src/hub/clean-up.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { aSession, anApproval, RUN } from '../contracts/rows.ts'
import { temporaryFolder } from '../rig/real-cli.ts'

const HOUR = 3_600_000
const ages = { runMs: HOUR, approvalMs: 2 * HOUR }

test('what is old goes: output of ended runs, settled questions; what is live or young stays', async () => {
  const home = await temporaryFolder()
  const store = await openMemoryStore()
  await store.sessions.create(aSession())
  const now = 100 * HOUR
  const runs = [
    { ...RUN, id: 'live' },
    { ...RUN, id: 'old', endedAt: now - 2 * HOUR },
    { ...RUN, id: 'young', endedAt: now - 1 },
  ]
  const step = { sessionId: 's1', events: [] }
  await store.journal.append({
    ...step,
    at: now,
    runs,
    opened: [anApproval({ id: 'a1' }), anApproval({ id: 'a2' })],
  })
  await store.journal.append({
    ...step,
    at: now - 3 * HOUR,
    settled: [{ approvalId: 'a1', status: 'denied' }],
  })
  for (const id of ['live', 'old', 'young', 'unknown-old', 'unknown-young']) {
    await mkdir(join(home, 'runs', id), { recursive: true })
    await writeFile(join(home, 'runs', id, 'stdout'), 'said')
    const at = new Date(id === 'unknown-old' ? now - 2 * HOUR : now)
    await utimes(join(home, 'runs', id), at, at)
  }
  await cleanUp(store, home, ages, now)
  expect((await readdir(join(home, 'runs'))).toSorted()).toEqual(['live', 'unknown-young', 'young'])
  expect(await store.approvals.get('a1')).toBeUndefined()
  expect(await store.approvals.get('a2')).toMatchObject({ status: 'pending' })
})
