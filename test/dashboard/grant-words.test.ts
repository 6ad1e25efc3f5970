import { expect, test } from 'vitest'
import { endedWords, holdsWords, withSessionNames } from '../../dashboard/src/remembered/grant-words.ts'
import { aSession } from '../contracts/rows.ts'

const ID = '655fee81-10c2-4291-b203-08b72f37f9ac'

test('a rule names a session by its name, if it has one, and shows what a name hides', () => {
  const text = `allow exactly Bash "ls", in session "${ID}"`
  expect(withSessionNames(text, [aSession({ id: ID, name: 'web' })])).toBe(
    'allow exactly Bash "ls", in session "web"',
  )
  expect(withSessionNames(text, [])).toBe(text)
  expect(withSessionNames('allow \u202E', [])).toBe('allow \\u{202e}')
})

test('it says where a grant holds, and until when', () => {
  expect(holdsWords({ scope: 'turn' })).toBe('until this turn ends')
  expect(holdsWords({ scope: 'session' })).toBe('in this session, until it is revoked')
  expect(holdsWords({ scope: 'always', endsAt: 0 })).toMatch(/^in all sessions, until .* at the latest$/)
})

test('it says where a grant held, and how it ended', () => {
  const revoked = { how: 'revoked', at: 0, by: 'laptop' } as const
  expect(endedWords({ scope: 'session', ended: revoked })).toMatch(
    /^in this session; revoked by laptop, \d{4}-/,
  )
  expect(endedWords({ scope: 'always', ended: { how: 'expired', at: 0 } })).toMatch(
    /^in all sessions; expired, \d{4}-/,
  )
})
