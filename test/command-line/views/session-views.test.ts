import { expect, test } from 'vitest'
import { byUrgency, sessionColumns, sessionJson } from '../../../src/command-line/views/session-views.ts'
import {
  dollars,
  endOfSession,
  labelOf,
  shortFolder,
  shownState,
  span,
  stateWord,
  titleOf,
} from '../../../src/command-line/views/session-words.ts'
import { aSession } from '../../contracts/rows.ts'
import { askedQuestion } from '../../rig/tools/asked-question.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

test.each([
  ['waiting', false, 'needs you'],
  ['running', false, 'running'],
  ['idle', false, 'idle'],
  ['done', false, 'idle'],
  ['interrupted', false, 'idle'],
  ['done', true, 'ended'],
  ['failed', false, 'ended'],
] as const)('%s (stopped: %s) is %s', (status, stopped, word) => {
  expect(stateWord({ status, stopped })).toBe(word)
})

test.each([
  [{ status: 'done', stopped: true }, 'stopped', 'stopped'],
  [{ status: 'interrupted', stopped: true }, 'stopped', 'stopped'],
  [{ status: 'failed', stopped: true }, 'stopped', 'stopped'],
  [{ status: 'failed' }, 'failed', 'failed'],
  [{ status: 'done', stopped: true, endedOutside: true }, 'outside', 'ended'],
  [{ status: 'failed', stopped: true, endedOutside: true }, 'failed', 'failed'],
  [{ status: 'done' }, undefined, 'idle'],
] as const)('%j ended as %s, and is shown as %s', (session, end, shown) => {
  expect(endOfSession(session)).toBe(end)
  expect(shownState(session)).toBe(shown)
  expect(sessionJson({ session: aSession(session), open: [] })).toMatchObject(
    end ? { end } : { state: 'idle' },
  )
})

test('a session is recognised by its name, by its first prompt, or by its folder', () => {
  const id = '0b0e8f0a-1111-4222-8333-444455556666'
  const session = aSession({ id, workingDirectory: '/home/me/app' })
  expect(titleOf({ ...session, name: 'web', title: 'Fix it.' })).toBe('web')
  expect(titleOf({ ...session, title: 'Fix \u202Eit.' })).toBe(String.raw`“Fix \u{202e}it.”`)
  expect(titleOf(session)).toBe('app 0b0e8f0a')
  expect(titleOf({ id })).toBe('0b0e8f0a')
})

const promptCells = (...sessions: Parameters<typeof aSession>[0][]) =>
  sessionColumns(byUrgency(sessions.map(aSession), []), {
    now: 9,
    homeFolder: undefined,
    style: (_, text) => text,
  }).find(({ title }) => title === 'FIRST PROMPT')?.cells

test('a list says how sessions without a name began, beside the name that is typed', () => {
  expect(promptCells({ id: 'a', name: 'web', title: 'Fix it.' })).toBeUndefined()
  expect(promptCells({ id: 'a' })).toBeUndefined()
  expect(
    promptCells({ id: 'a', name: 'web', title: 'Fix it.', updatedAt: 2 }, { id: 'b', title: 'Test it.' }),
  ).toEqual(['Fix it.', 'Test it.'])
  expect(sessionJson({ session: aSession({ title: 'Fix it.' }), open: [] })).toMatchObject({
    title: 'Fix it.',
  })
})

test('a session with an open question needs a person, though its row was read before that', () => {
  const [first, second] = byUrgency(
    [
      aSession({ id: 'new', status: 'running', updatedAt: 9 }),
      aSession({ id: 'web', status: 'running', updatedAt: 1 }),
    ],
    [askedQuestion('1', { sessionId: 'web' })],
  )
  expect([first?.session.id, second?.session.id]).toEqual(['web', 'new'])
  expect(first && shownState(first.session)).toBe('needs you')
  expect(first && sessionJson(first)).toMatchObject({ state: 'needs you' })
  const terminal = { to: 'terminal', pid: 7, startedAt: '1' } as const
  expect(stateWord({ status: 'running', outside: terminal, open: 1 })).toBe('needs you')
  expect(stateWord({ status: 'running', open: 0 })).toBe('running')
})

test('what needs a person comes first, then the newest', () => {
  const sessions = [
    aSession({ id: 'idle', status: 'done', updatedAt: 9 }),
    aSession({ id: 'old', status: 'running', updatedAt: 1 }),
    aSession({ id: 'new', status: 'running', updatedAt: 5 }),
    aSession({ id: 'asks', status: 'waiting', updatedAt: 2 }),
  ]
  expect(byUrgency(sessions, []).map(({ session }) => session.id)).toEqual(['asks', 'new', 'old', 'idle'])
})

test('what waits longest is on top, whether it waits here or in its terminal', () => {
  const outside = { to: 'terminal', pid: 7, startedAt: '1' } as const
  const sessions = [
    aSession({ id: 'late', status: 'waiting', updatedAt: 4 }),
    aSession({ id: 'there', status: 'waiting', updatedAt: 5, outside: { ...outside, status: 'waiting' } }),
    aSession({ id: 'early', status: 'waiting', updatedAt: 3 }),
  ]
  const questions = [
    askedQuestion('1', { sessionId: 'early', openedAt: 2 }),
    askedQuestion('2', { sessionId: 'late', openedAt: 8 }),
    askedQuestion('3', { sessionId: 'early', openedAt: 9 }),
  ]
  expect(byUrgency(sessions, questions).map(({ session }) => session.id)).toEqual(['early', 'there', 'late'])
})

test('the words for time, cost and folder', () => {
  expect([-5, 400, 59_000, 61_000, 7_200_000, 200_000_000].map(span)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '2 h',
    '2 d',
  ])
  expect([dollars(0), dollars(0.004), dollars(1.5)]).toEqual(['-', '$0.004', '$1.50'])
  expect(shortFolder('/home/me/a', '/home/me')).toBe('~/a')
  expect(shortFolder('/home/meadow', '/home/me')).toBe('/home/meadow')
  expect(shortFolder('/a\nb', undefined)).toBe('/a ⏎ b')
  expect(labelOf({ id: asSessionId('1f3a5b7c-0000'), name: undefined })).toBe('1f3a5b7c')
  expect(labelOf({ id: asSessionId('x'), name: 'a\u001B[1m' })).toBe('a\\u{1b}[1m')
})

test('in JSON times are ISO 8601', () => {
  expect(sessionJson({ session: aSession({ createdAt: 0, name: 'web' }), open: [] })).toMatchObject({
    name: 'web',
    state: 'idle',
    createdAt: '1970-01-01T00:00:00.000Z',
    openQuestions: [],
  })
})
