import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { retentionAges, removeExpired } from '../../src/hub/retention.ts'
import { issueSessionToken } from '../../src/callers/session-token.ts'
import { hashOfToken } from '../../src/callers/token-hash.ts'
import { LiveSessions } from '../../src/sessions/session-registry.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aSession, anApproval, aStep, GRANT, idsOf, RUN } from '../contracts/rows.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { asApprovalId, asRunId, asSessionId, type PlainIds } from '../rig/tools/ids.ts'

const HOUR = 3_600_000
const ages = { runMs: HOUR, keptMs: 2 * HOUR }
const supervisor = () => new LiveSessions<object>(async () => ({}))

test('old output of ended runs and settled questions are removed; live or new ones stay', async () => {
  const home = await temporaryFolder()
  const store = await openMemoryStore()
  await store.sessions.create(aSession())
  const now = 100 * HOUR
  const runs = [
    { ...RUN, id: asRunId('live') },
    { ...RUN, id: asRunId('old'), endedAt: now - 2 * HOUR },
    { ...RUN, id: asRunId('young'), endedAt: now - 1 },
  ]
  const step = { sessionId: asSessionId('s1'), events: [] }
  await store.journal.append({
    ...step,
    at: now,
    runs,
    opened: [anApproval({ id: 'a1' }), anApproval({ id: 'a2' })],
  })
  await store.journal.append({
    ...step,
    at: now - 3 * HOUR,
    settled: [{ approvalId: asApprovalId('a1'), status: 'denied' }],
  })
  for (const id of ['live', 'old', 'young', 'unknown-old', 'unknown-young']) {
    await mkdir(join(home, 'runs', id), { recursive: true })
    await writeFile(join(home, 'runs', id, 'stdout'), 'said')
    const at = new Date(id === 'unknown-old' ? now - 2 * HOUR : now)
    await utimes(join(home, 'runs', id), at, at)
  }
  await removeExpired({ store, home, supervisor: supervisor() }, ages, now)
  expect((await readdir(join(home, 'runs'))).toSorted()).toEqual(['live', 'unknown-young', 'young'])
  expect(await store.approvals.get('a1')).toBeUndefined()
  expect(await store.approvals.get('a2')).toMatchObject({ status: 'pending' })
})

test.each(['memory', 'sqlite'])(
  'on %s a session that ended long ago goes with all that is its own; none that is young, live, awake, asked or above another does',
  async (kind) => {
    const home = await temporaryFolder()
    const store = kind === 'memory' ? await openMemoryStore() : await openSqliteStore(join(home, 'plexus.db'))
    onTestFinished(() => store.close())
    const now = 100 * HOUR
    const old = now - 3 * HOUR
    const add = async (id: string, fields: Partial<PlainIds<Session>> = {}, step: object = {}) => {
      const session = aSession({ id, status: 'done', updatedAt: old, ...fields })
      await store.sessions.create(session)
      if (Object.keys(step).length > 0)
        await store.journal.append({ ...aStep(3, { sessionId: id, at: old }), session, ...step })
    }
    const run = { ...RUN, id: 'run-of-ended', sessionId: 'ended', endedAt: old }
    await add('ended', { name: 'mine' }, { runs: [run], granted: [{ ...GRANT, sessionId: 'ended' }] })
    const token = await issueSessionToken(store.callers, 'ended')
    await add('failed', { status: 'failed' })
    await add('interrupted', { status: 'interrupted' })
    await add('below', { parentId: 'above' })
    for (const status of ['idle', 'running', 'waiting'] as const) await add(status, { status })
    await add('young', { updatedAt: now - HOUR })
    await add('above', { updatedAt: old + 1 })
    await add('above a live one')
    await add('live below', { parentId: 'above a live one', status: 'running' })
    await add('with a process', {}, { runs: [{ ...RUN, id: 'live', sessionId: 'with a process' }] })
    await add('asked', {}, { opened: [anApproval({ id: 'a', sessionId: 'asked' })] })
    await add('awake')
    const awake = supervisor()
    const held = await awake.get('awake')

    const clean = (days: typeof ages | ReturnType<typeof retentionAges>) =>
      removeExpired({ store, home, supervisor: awake }, days, now)
    const left = async () => idsOf(await store.sessions.list({ limit: 99 })).toSorted()
    const all = await left()
    await clean(retentionAges(0))
    expect(await left()).toEqual(all)
    await clean(ages)
    const gone = ['ended', 'failed', 'interrupted', 'below']
    expect(await left()).toEqual(all.filter((id) => !gone.includes(id)))
    expect(await store.events.read('ended', 0, 9)).toEqual([])
    expect([await store.runs.ofSession('ended'), await store.grants.ofSession('ended')]).toEqual([[], []])
    expect(await store.sessions.byName('mine')).toBeUndefined()
    expect(await store.callers.byTokenHash(hashOfToken(token))).toMatchObject({
      revokedAt: expect.any(Number) as number,
    })
    await clean(ages) // what it was above is gone
    expect(await left()).toEqual(all.filter((id) => ![...gone, 'above'].includes(id)))
    expect(held).toBe(await awake.get('awake'))
  },
)
