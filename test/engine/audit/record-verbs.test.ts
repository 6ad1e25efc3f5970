import { describe, expect, test } from 'vitest'
import { anchorLine, checkpointNote } from '../../../src/audit/checkpoint-note.ts'
import { itemOfLine } from '../../../src/audit/export-lines.ts'
import { RecordCheck } from '../../../src/audit/verify-record.ts'
import { AppError } from '../../../src/base/errors.ts'
import { createEngine } from '../../../src/engine/local-engine.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { aSigner } from '../../rig/tools/written-record.ts'

const operator = { caller: { ...CALLERS.operator, via: 'rpc' as const } }

describe('S61: who reads the record', () => {
  test.each(Object.entries(CALLERS))('%s', async (name, caller) => {
    const { app, store } = await aFamily()
    const may = caller.kind === 'operator' || caller.kind === 'device'
    const call = { caller }
    for (const work of [
      () => app.engine.listRecord(call, {}),
      () => app.engine.exportRecord(call, {}),
      () => app.engine.verifyRecord(call, {}),
      () => app.engine.getRecordRow(call, { number: 1 }),
    ]) {
      const before = (await store.record.head()).number
      const outcome = await work().then(
        () => 'ok',
        (error: unknown) => (error instanceof AppError ? error.code : 'failed'),
      )
      expect(outcome).toBe(may ? 'ok' : 'forbidden')
      expect((await store.record.head()).number - before, `${name} is recorded`).toBe(may ? 1 : 0)
    }
  })
})

test('a row of a decision says who answered, with which token, from where, and the rows about it are found', async () => {
  const { app, store } = await aFamily()
  const phone = { caller: { ...CALLERS['device that answers'], via: 'page' as const } }
  await app.engine.getApproval(phone, { approvalId: QUESTION })
  await app.engine.answer(phone, { approvalId: QUESTION, answers: ['deny'], message: 'Not today' })
  const [row] = await app.engine.listRecord(operator, { kind: 'settled' })
  expect(row?.body).toMatchObject({
    approvalId: QUESTION,
    status: 'denied',
    behavior: 'deny',
    message: 'Not today',
    via: 'page',
    level: 'person',
    caller: { kind: 'device', person: true, proof: 'device token', id: phone.caller.id },
  })
  expect(row?.body['shownAt']).toBeTypeOf('number')
  expect(row?.body['ancestors']).toHaveLength(2)
  const shown = await app.engine.getRecordRow(operator, { number: row?.number ?? 0 })
  expect(shown.row).toEqual(row)
  expect((await refusalOf(app.engine.getRecordRow(operator, { number: 9_999 }))).code).toBe('not_found')
  const reads = await store.record.read({ kind: 'read', limit: 9 })
  expect(JSON.parse(reads[0]?.body ?? '')).toMatchObject({
    by: 'operator',
    via: 'rpc',
    query: { what: 'list', kind: 'settled' },
  })
})

test('an export of many pages ends, is of one moment, and verifies elsewhere', async () => {
  const { app, store } = await aFamily()
  const signer = aSigner()
  await store.record.append(Array.from({ length: 1_234 }, () => ({ kind: 'read', at: 1, body: {} }) as const))
  const head = await store.record.head()
  const note = checkpointNote(signer, head, { previous: undefined, at: 1 })
  await store.record.addCheckpoint({ size: head.number, at: 1, note })
  const check = new RecordCheck({ verifier: signer.verifier, anchors: [note] })
  let until: number | undefined
  let pages = 0
  for (let after: number | undefined = 0; after !== undefined; pages++) {
    const page: Awaited<ReturnType<typeof app.engine.exportRecord>> = await app.engine.exportRecord(
      operator,
      {
        after,
        until,
      },
    )
    for (const line of page.lines) {
      const item = itemOfLine(line)
      if (item) check.add(item)
    }
    until = page.until
    after = page.next
  }
  expect(pages).toBe(3)
  expect(check.report()).toMatchObject({ last: head.number, signed: head.number, anchored: head.number })
  expect(check.report().broken).toBeUndefined()
  expect(await store.record.read({ kind: 'exported', limit: 9 })).toHaveLength(3)
  const engine = createEngine({ ...app, recordKey: signer.verifier })
  const report = await engine.verifyRecord(operator, { anchors: anchorLine(note) })
  expect(report).toMatchObject({ anchored: head.number, signed: head.number })
  expect(report.broken).toBeUndefined()
})

const row = (kind: 'asked' | 'settled' | 'session-removed', body: object) => ({
  kind,
  at: 1,
  body: { ...body },
})

describe('rows of the record', () => {
  /** The bodies of the rows that a session has, without those of other tests and of the reading itself. */
  async function filled() {
    const { app, store } = await aFamily()
    await store.sessions.rename(CHILD, 'web')
    await store.record.append([
      row('asked', { session: CHILD, approvalId: 'q1' }),
      row('asked', { session: 'other', approvalId: 'q2' }),
      row('settled', { session: CHILD, approvalId: 'q1' }),
      row('session-removed', { session: 'gone', name: 'old' }),
      row('asked', { session: CHILD }),
    ])
    const queries = async () =>
      (await store.record.read({ kind: 'read', limit: 99 })).map(
        ({ body }) => (JSON.parse(body) as Read).query,
      )
    return { engine: app.engine, store, queries }
  }
  interface Read {
    readonly query: unknown
  }

  test('are found by the name of their session or by its id, also of one that was removed', async () => {
    const { engine } = await filled()
    const listed = async (sessionId: string) =>
      (await engine.listRecord(operator, { sessionId })).map(({ kind, body }) => [kind, body['approvalId']])
    const ofChild = [
      ['asked', undefined],
      ['settled', 'q1'],
      ['asked', 'q1'],
    ]
    expect(await listed('web')).toEqual(ofChild)
    expect(await listed(CHILD)).toEqual(ofChild)
    expect(await listed('old')).toEqual([['session-removed', undefined]])
    expect(await listed('other')).toEqual([['asked', 'q2']])
    expect(await listed('none')).toEqual([])
  })

  test('are at most 500, and 20 where nobody says how many', async () => {
    const { engine, store } = await filled()
    await store.record.append(Array.from({ length: 510 }, () => row('asked', { session: 'many' })))
    expect(await engine.listRecord(operator, { sessionId: 'many' })).toHaveLength(20)
    expect(await engine.listRecord(operator, { sessionId: 'many', limit: 500 })).toHaveLength(500)
    expect(await engine.listRecord(operator, { sessionId: 'many', limit: 3 })).toHaveLength(3)
  })

  test('about the same question come with one of them', async () => {
    const { engine, queries } = await filled()
    const [asked] = await engine.listRecord(operator, { sessionId: 'web', approvalId: 'q1', kind: 'asked' })
    const number = asked?.number ?? 0
    const { row: one, related } = await engine.getRecordRow(operator, { number })
    expect(one).toEqual(asked)
    expect(related.map(({ kind, body }) => [kind, body])).toEqual([
      ['settled', { session: CHILD, approvalId: 'q1' }],
    ])
    const alone = await engine.getRecordRow(operator, { number: number + 4 })
    expect([alone.row.body, alone.related]).toEqual([{ session: CHILD }, []])
    expect(await queries()).toEqual([
      { what: 'list', sessionId: 'web', limit: 20, approvalId: 'q1', kind: 'asked' },
      { what: 'row', number },
      { what: 'row', number: number + 4 },
    ])
  })

  test('are exported and checked up to the last of rows and checkpoints, and that is on record', async () => {
    const { engine, store, queries } = await filled()
    const { number } = await store.record.head()
    expect(await engine.exportRecord(operator, { after: number + 50 })).toStrictEqual({
      lines: [],
      until: number,
    })
    const exported = await store.record.read({ kind: 'exported', limit: 9 })
    expect(exported.map(({ body }) => (JSON.parse(body) as Read).query)).toEqual([
      { after: number + 50, until: number },
    ])
    const head = await store.record.head()
    expect(await engine.verifyRecord(operator, {})).toMatchObject({ last: head.number })
    expect(await queries()).toEqual([{ what: 'check', until: head.number }])
    await store.record.addCheckpoint({ size: head.number + 100, at: 1, note: 'of rows that are not there' })
    expect((await engine.exportRecord(operator, {})).until).toBe(head.number + 100)
  })
})
