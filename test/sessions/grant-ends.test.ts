import { describe, expect, test } from 'vitest'
import type { Grant } from '../../src/approvals/grants/grant.ts'
import { aSession, aStep, GRANT } from '../contracts/rows.ts'
import { aFamily, CHILD } from '../rig/clients/family.ts'
import { asGrantId, asSessionId } from '../rig/tools/ids.ts'

const PAST = 1_000
const FUTURE = Date.now() + 3_600_000
const grant = (id: string, fields: Partial<Grant> = {}): Grant => ({
  ...GRANT,
  id: asGrantId(id),
  sessionId: CHILD,
  rules: [{ id, effect: 'allow', tool: ['WebSearch'] }],
  ...fields,
})
const ofTurn = (id: string, turn: number, fields: Partial<Grant> = {}) =>
  grant(id, { scope: 'turn', rules: [{ id, effect: 'allow', turn }], ...fields })

const sorted = <T>(rows: readonly T[]) => rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))

async function withGrants(...granted: Grant[]) {
  const { app, store } = await aFamily()
  await store.journal.append(aStep(0, { sessionId: CHILD, granted }))
  const ends = app.supervisor.grants
  const ended = async () =>
    (await store.grants.ended(99)).map(({ id, ended: end }) => [id, end?.how, end?.by])
  const logged = async () =>
    (await store.events.read(CHILD, 0, 99)).flatMap(({ event }) =>
      event.type === 'grant.expired' || event.type === 'grant.revoked' ? [[event.type, event.grantId]] : [],
    )
  return { store, ends, ended, logged }
}

describe('the sweep', () => {
  test('ends what has reached its time, and what was for a turn that is over; that is in the log of its session', async () => {
    const { ends, ended, logged } = await withGrants(
      grant('past', { endsAt: PAST }),
      grant('future', { endsAt: FUTURE }),
      grant('ever'),
      ofTurn('this turn', 0),
      ofTurn('last turn', 9),
      ofTurn('this turn, too late', 0, { endsAt: PAST }),
      ofTurn('without rules', 1, { rules: [] }),
    )
    await ends.sweep()
    expect(sorted(await ended())).toEqual([
      ['last turn', 'expired', undefined],
      ['past', 'expired', undefined],
      ['this turn, too late', 'expired', undefined],
      ['without rules', 'expired', undefined],
    ])
    expect(sorted(await logged())).toEqual(sorted((await ended()).map(([id]) => ['grant.expired', id])))
  })

  test('ends each once, however often and by how many it is found', async () => {
    const past = grant('past', { endsAt: PAST })
    const { ends, ended, logged } = await withGrants(past)
    ends.home.reportOver(past)
    await Promise.all([ends.sweep(), ends.sweep()])
    await expect.poll(ended).toEqual([['past', 'expired', undefined]])
    await ends.sweep()
    expect(await logged()).toEqual([['grant.expired', 'past']])
  })

  test('ends what was for a turn of a session that does not work any more', async () => {
    const turn = ofTurn('turn', 0)
    const { ends, store } = await withGrants(turn)
    expect(await ends.isOver(turn)).toBe(false)
    expect(await ends.isOver({ ...turn, sessionId: asSessionId('gone') })).toBe(true)
    const session = await store.sessions.get(CHILD)
    if (!session) throw new Error('no session')
    await store.journal.append(aStep(0, { sessionId: CHILD, session: { ...session, status: 'done' } }))
    expect(await ends.isOver(turn)).toBe(true)
  })
})

test('what is found to be over when it is used is ended by itself', async () => {
  const past = grant('past', { endsAt: PAST })
  const { ends, ended } = await withGrants(past)
  ends.home.reportOver(past)
  await expect.poll(ended).toEqual([['past', 'expired', undefined]])
})

test('a grant is revoked once, and the sessions that used it ask again at once', async () => {
  const wide = grant('wide', { scope: 'always' })
  const { ends, ended, logged } = await withGrants(wide, grant('own'), grant('other'))
  await ends.reload()
  expect(ends.home.wide.map(({ id }) => id)).toEqual(['wide'])
  await ends.revoke(grant('own'), 'ann')
  await ends.revoke(grant('own'), 'ben')
  await ends.revoke(wide, 'ann')
  expect(sorted(await ended())).toEqual([
    ['own', 'revoked', 'ann'],
    ['wide', 'revoked', 'ann'],
  ])
  expect(await logged()).toEqual([
    ['grant.revoked', 'own'],
    ['grant.revoked', 'wide'],
  ])
  expect(ends.home.wide).toEqual([])
})

const gone = (id: string, fields: object = {}) =>
  grant(id, { scope: 'always', sessionId: asSessionId('gone'), ...fields })

test('a grant whose session is gone ends too, and the record says how', async () => {
  const { ends, ended, store } = await withGrants()
  await store.sessions.create(aSession({ id: 'gone' }))
  const granted = [gone('revoked'), gone('expired', { endsAt: PAST })]
  await store.journal.append(aStep(0, { sessionId: 'gone', granted }))
  await store.sessions.remove('gone')
  await ends.revoke(gone('revoked'), 'ann')
  await ends.sweep()
  expect(sorted(await ended())).toEqual([
    ['expired', 'expired', undefined],
    ['revoked', 'revoked', 'ann'],
  ])
  const rows = await Promise.all(
    (['grant-revoked', 'grant-expired'] as const).map((kind) => store.record.read({ kind, limit: 9 })),
  )
  expect(rows.flat().map(({ kind, body }) => [kind, JSON.parse(body) as unknown])).toEqual([
    ['grant-revoked', { session: 'gone', grantId: 'revoked', by: 'ann' }],
    ['grant-expired', { session: 'gone', grantId: 'expired' }],
  ])
})

test('a hub begins no earlier than the last that was stored, and with what holds for more than one session', async () => {
  const { ends, store } = await withGrants(grant('wide', { scope: 'tree' }), grant('own'))
  await store.journal.append(aStep(1, { sessionId: CHILD, at: FUTURE }))
  await ends.load()
  expect(ends.home.time.now()).toBeGreaterThanOrEqual(FUTURE)
  expect(ends.home.wide.map(({ id }) => id)).toEqual(['wide'])
})
