import { expect, test } from 'vitest'
import { foundSessions, sessionRows } from '../../dashboard/src/sessions/session-tree.ts'
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
    ['quiet', 0],
    ['orphan', 0],
  ])
})

test('after what needs the person, what was active last comes first, also by a session below', () => {
  const all = [
    aSession({ id: 'failed', status: 'failed', updatedAt: 5 }),
    aSession({ id: 'running', status: 'running', updatedAt: 4 }),
    aSession({ id: 'old', status: 'done', updatedAt: 1 }),
    aSession({ id: 'below', status: 'done', parentId: 'old', updatedAt: 9 }),
    aSession({ id: 'asks', status: 'waiting', updatedAt: 0 }),
  ]
  expect(sessionRows(all).map(({ session }) => session.id)).toEqual([
    'asks',
    'old',
    'below',
    'failed',
    'running',
  ])
})

test('a session whose question is open comes first and is found so, though its row was read before that', () => {
  const all = [
    { ...aSession({ id: 'new', status: 'running', updatedAt: 9 }), open: 0 },
    { ...aSession({ id: 'asks', status: 'running', updatedAt: 1 }), open: 1 },
  ]
  expect(sessionRows(all).map(({ session }) => session.id)).toEqual(['asks', 'new'])
  expect(foundSessions(all, 'needs').map(({ id }) => id)).toEqual(['asks'])
})

test('sessions without a name are found by their first prompt', () => {
  const all = [aSession({ id: 'a', title: 'Fix the tests' }), aSession({ id: 'b', title: 'Write' })]
  expect(foundSessions(all, 'tests').map(({ id }) => id)).toEqual(['a'])
})

test('sessions are found by all words of their name, folder and state, with those that started them', () => {
  const all = [
    aSession({ id: 'a', name: 'web', workingDirectory: '/home/x/shop', status: 'done' }),
    aSession({ id: 'b', name: 'tests', workingDirectory: '/home/x/shop', status: 'waiting', parentId: 'a' }),
    aSession({ id: 'c', name: 'Docs', workingDirectory: '/home/x/book', status: 'waiting' }),
  ]
  const found = (text: string) => foundSessions(all, text).map(({ id }) => id)
  expect(found('  ')).toEqual(['a', 'b', 'c'])
  expect(found('docs')).toEqual(['c'])
  expect(found('needs shop')).toEqual(['a', 'b'])
  expect(found('idle')).toEqual(['a'])
  expect(found('book tests')).toEqual([])
})
