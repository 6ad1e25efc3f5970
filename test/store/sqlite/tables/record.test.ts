import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordItems } from '../../../../src/audit/record-items.ts'
import { NO_ROWS, rowAfter } from '../../../../src/audit/record-row.ts'
import { RecordCheck } from '../../../../src/audit/verify-record.ts'
import type { Store } from '../../../../src/sessions/record/store.ts'
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

async function openWithRows(...bodies: readonly string[]) {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = await openSqliteStore(path)
  onTestFinished(() => store.close())
  const other = openDatabase(path)
  onTestFinished(() => other.close())
  await add(store, ...bodies)
  return { path, store, other }
}

async function add(store: Store, ...bodies: readonly string[]): Promise<void> {
  for (const text of bodies) await store.record.append([{ kind: 'read', at: 1, body: { text } }])
}

async function firstBroken(store: Store): Promise<number | undefined> {
  const check = new RecordCheck()
  for await (const items of recordItems(store.record)) for (const item of items) check.add(item)
  return check.report().broken?.number
}

test('I21: a row that another program has added is not replaced, and no answer is refused because of it', async () => {
  const { path, store, other } = await openWithRows('one')
  const second = await openSqliteStore(path)
  onTestFinished(() => second.close())
  await add(second, 'of the other')
  await add(store, 'two')
  await add(second, 'of the other again')
  other.exec(`INSERT INTO record SELECT 5, at, kind, body, previous, 'made up' FROM record WHERE number = 4`)
  await add(store, 'three')
  const texts = (await store.record.read({ limit: 9 })).map(({ body }) => body)
  expect(texts.map((text) => /"text":"(.*)"/.exec(text)?.[1])).toEqual([
    'one',
    'of the other',
    'two',
    'of the other again',
    'of the other again',
    'three',
  ])
  expect(await firstBroken(store)).toBe(5)
})

test('I21: a last row that is changed or removed while the hub runs is found by the next row', async () => {
  const changed = await openWithRows('one', 'two')
  const [first = NO_ROWS] = await changed.store.record.read({ limit: 1 })
  const { body, hash } = rowAfter(first, { kind: 'read', at: 1, body: { text: 'another' } })
  changed.other.exec(`UPDATE record SET body = '${body}', hash = '${hash}' WHERE number = 2`)
  expect(await firstBroken(changed.store)).toBeUndefined()
  await add(changed.store, 'three')
  expect(await firstBroken(changed.store)).toBe(3)
  const cut = await openWithRows('one', 'two')
  cut.other.exec('DELETE FROM record WHERE number = 2')
  await add(cut.store, 'three')
  expect((await cut.store.record.read({ limit: 9 })).map(({ number }) => number)).toEqual([1, 3])
  expect(await firstBroken(cut.store)).toBe(2)
})
