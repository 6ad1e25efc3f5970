import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../../src/store/sqlite/connection/database.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts'
import { ALLOW, aSession, aStep, anApproval } from '../../../contracts/rows.ts'
import { temporaryFolder } from '../../../rig/cli/real-cli.ts'

test('I21: an answer that cannot be recorded takes no effect, alone or with others, and can be given again', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path)
  onTestFinished(() => store.close())
  await store.sessions.create(aSession())
  await store.journal.append(aStep(1, { opened: [anApproval()] }))
  const broken = openDatabase(path)
  onTestFinished(() => broken.close())
  broken.exec(`CREATE TRIGGER no_settled BEFORE INSERT ON record WHEN new.kind = 'settled'
    BEGIN SELECT raise(ABORT, 'no room'); END`)
  const answer = aStep(1, { settled: [ALLOW], recorded: [{ kind: 'settled', at: 1, body: {} }] })
  const other = store.record.append([{ kind: 'read', at: 1, body: {} }])
  await expect(store.journal.append(answer, { durable: true })).rejects.toThrow('refused a statement')
  await other
  expect(await store.approvals.get('a1')).toMatchObject({ status: 'pending' })
  expect(await store.events.read('s1', 0, 9)).toHaveLength(1)
  expect((await store.record.read({ limit: 9 })).map(({ kind }) => kind)).toEqual(['read'])
  broken.exec('DROP TRIGGER no_settled')
  await store.journal.append(answer, { durable: true })
  expect(await store.approvals.get('a1')).toMatchObject({ status: 'allowed' })
  expect((await store.record.read({ limit: 9 })).map(({ number }) => number)).toEqual([1, 2])
})
