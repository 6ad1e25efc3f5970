import { expect, test } from 'vitest'
import { sessionRows } from '../../dashboard/src/sessions/session-tree.ts'
import { aSession } from '../contracts/rows.ts'

test('what needs the person comes first, with the sessions that started it', () => {
  const all = [
    aSession({ id: 'quiet', status: 'done', updatedAt: 9 }),
    aSession({ id: 'parent', status: 'done', updatedAt: 1 }),
    aSession({ id: 'child', status: 'waiting', parentId: 'parent', updatedAt: 2 }),
    aSession({ id: 'orphan', status: 'running', parentId: 'gone', updatedAt: 3 }),
  ]
  expect(sessionRows(all).map(({ session, depth }) => [session.id, depth])).toEqual([
    ['parent', 0],
    ['child', 1],
    ['orphan', 0],
    ['quiet', 0],
  ])
})
