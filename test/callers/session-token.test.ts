import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { issueSessionToken, revokeSessionToken } from '../../src/callers/session-token.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

test('a token of a session is 32 random bytes, of which only the hash is stored', async () => {
  const { callers } = await openMemoryStore()
  const tokens = [await issueSessionToken(callers, 's1', ['nested']), await issueSessionToken(callers, 's2')]
  expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32])
  expect(tokens[0]).not.toBe(tokens[1])
  expect(await callers.byTokenHash(hashOf(tokens[0] ?? ''))).toMatchObject({
    kind: 'session',
    name: 's1',
    scopes: ['nested'],
  })
  expect(await callers.byTokenHash(hashOf(tokens[1] ?? ''))).toMatchObject({ name: 's2', scopes: [] })
})

test('a session has one token at a time', async () => {
  const { callers } = await openMemoryStore()
  const first = await issueSessionToken(callers, 's1')
  const second = await issueSessionToken(callers, 's1')
  expect(await callers.byTokenHash(hashOf(first))).toBeUndefined()
  expect(await callers.byTokenHash(hashOf(second))).toMatchObject({ name: 's1' })
})

test('a revoked token stays revoked since then, and others are as they were', async () => {
  const { callers } = await openMemoryStore()
  const token = await issueSessionToken(callers, 's1')
  const other = await issueSessionToken(callers, 's2')
  vi.useFakeTimers({ now: 1_000 })
  await revokeSessionToken(callers, 's1')
  expect(await callers.byTokenHash(hashOf(token))).toMatchObject({ name: 's1', revokedAt: 1_000 })
  vi.setSystemTime(2_000)
  await revokeSessionToken(callers, 's1')
  await revokeSessionToken(callers, 'nobody')
  vi.useRealTimers()
  expect(await callers.byTokenHash(hashOf(token))).toMatchObject({ revokedAt: 1_000 })
  expect(await callers.byTokenHash(hashOf(other))).not.toHaveProperty('revokedAt')
  expect(await callers.byName('session', 'nobody')).toBeUndefined()
})
