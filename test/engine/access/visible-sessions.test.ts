import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import {
  descendantSessions,
  onlyVisible,
  visibleSessions,
} from '../../../src/engine/access/visible-sessions.ts'
import { visibleRoot, visibleTree } from '../../../src/engine/access/visible-tree.ts'
import type { SessionStatus } from '../../../src/sessions/record/session.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import type { Branch } from '../../../src/tree/session-tree.ts'
import { aSession, aStep, idsOf, NODE } from '../../contracts/rows.ts'
import { asCallerId, asSessionId } from '../../rig/tools/ids.ts'

const caller = (kind: Caller['kind'], name: string): Caller => ({
  id: asCallerId(`${kind} ${name}`),
  kind,
  name,
  scopes: ['nested'],
  person: false,
})
const operator = caller('operator', 'operator')
const ann = caller('client', 'ann')

/** By id: the parent, the time of the last change, the status. All are Ann's but `other`. */
const SESSIONS: Readonly<Record<string, [string | undefined, number, SessionStatus]>> = {
  top: [undefined, 1, 'running'],
  a: ['top', 5, 'done'],
  b: ['top', 7, 'running'],
  aa: ['a', 7, 'running'],
  aaa: ['aa', 2, 'done'],
  aaaa: ['aaa', 9, 'done'],
  other: [undefined, 8, 'done'],
}

let store: Store
beforeEach(async () => {
  store = await openMemoryStore()
  for (const [id, [parentId, updatedAt, status]] of Object.entries(SESSIONS))
    await store.sessions.create(
      aSession({ id, parentId, updatedAt, status, owner: id === 'other' ? 'client ben' : 'client ann' }),
    )
})

const seen = async (who: Caller, filter: Partial<Parameters<typeof visibleSessions>[2]> = {}) =>
  idsOf(await visibleSessions(store, who, { limit: 100, ...filter }))

describe('the sessions that a caller may read', () => {
  test('are all of them for an operator, its own for a client, those below it for a session', async () => {
    expect(await seen(operator)).toEqual(['aaaa', 'other', 'b', 'aa', 'a', 'aaa', 'top'])
    expect(await seen(ann)).toEqual(['aaaa', 'b', 'aa', 'a', 'aaa', 'top'])
    expect(await seen(caller('client', 'cid'))).toEqual([])
    expect(await seen(caller('session', 'a'))).toEqual(['aaaa', 'aa', 'aaa'])
    expect(await seen(caller('session', 'b'))).toEqual([])
    // Three levels below a session there are no more.
    expect(await seen(caller('session', 'top'))).toEqual(['b', 'aa', 'a', 'aaa'])
  })

  test('are filtered for a session as for others: by status, by place in the list, by number', async () => {
    const top = caller('session', 'top')
    for (const who of [operator, top]) {
      expect(await seen(who, { status: ['running'], before: { updatedAt: 8, id: 'x' } })).toEqual(
        who === top ? ['b', 'aa'] : ['b', 'aa', 'top'],
      )
      expect((await seen(who, { before: { updatedAt: 7, id: 'b' } }))[0]).toBe('aa')
      expect((await seen(who, { before: { updatedAt: 7, id: 'aa' } }))[0]).toBe('a')
      expect(await seen(who, { limit: 1, before: { updatedAt: 8, id: 'a' } })).toEqual(['b'])
    }
  })

  test('below a session are found level by level', async () => {
    expect(idsOf(await descendantSessions(store, 'top'))).toEqual(['b', 'a', 'aa', 'aaa'])
    expect(await descendantSessions(store, 'aaaa')).toEqual([])
  })
})

test('of what belongs to sessions only that of readable ones is kept', async () => {
  const items = ['top', 'a', 'aa', 'other', 'gone', 'aa'].map((sessionId, n) => ({ sessionId, n }))
  const kept = async (who: Caller) => (await onlyVisible(store, who, items)).map(({ n }) => n)
  expect(await kept(operator)).toEqual([0, 1, 2, 3, 4, 5])
  expect(await kept(ann)).toEqual([0, 1, 2, 5])
  expect(await kept(caller('session', 'a'))).toEqual([2, 5])
  expect(await kept(caller('session', 'b'))).toEqual([])
})

const node = (id: string, sessionId: string, parentId?: string) => ({
  ...NODE,
  id,
  sessionId: asSessionId(sessionId),
  parentId,
})

const branch = (id: string, sessionId: string, ...branches: Branch[]): Branch => ({
  node: node(id, sessionId),
  branches,
})

describe('the tree', () => {
  test('begins for a caller where it may read all that follows', async () => {
    const nodes = [node('1', 'a'), node('2', 'other', '1'), node('3', 'a', '2'), node('4', 'aa', '3')]
    await store.journal.append(aStep(0, { sessionId: 'a', nodes }))
    const rootFor = async (who: Caller, from?: string) => (await visibleRoot(store, who, from))?.id
    expect(await rootFor(operator, '4')).toBe('1')
    expect(await rootFor(ann, '4')).toBe('3')
    expect(await rootFor(caller('session', 'a'), '4')).toBe('4')
    expect(await rootFor(ann, '1')).toBe('1')
    expect(await rootFor(ann, '2')).toBeUndefined()
    expect(await rootFor(ann, undefined)).toBeUndefined()
  })

  test('has no branch of a session that the caller may not read, nor what follows it', async () => {
    const root = branch('1', 'a', branch('2', 'aa', branch('3', 'a')), branch('4', 'other', branch('5', 'a')))
    const all = await visibleTree(store, operator, root)
    expect(all).toEqual([root])
    expect(await visibleTree(store, ann, root)).toEqual([
      branch('1', 'a', branch('2', 'aa', branch('3', 'a'))),
    ])
    expect(await visibleTree(store, caller('client', 'ben'), root)).toEqual([])
  })
})
