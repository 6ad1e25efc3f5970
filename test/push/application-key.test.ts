import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { applicationKey, authorizationFor } from '../../src/push/application-key.ts'
import { claimsOf } from '../rig/clients/push-service.ts'

const ENDPOINT = 'https://push.example.com/send/abc?x=1'

test('a message is signed for its push service alone, for less than a day', () => {
  const key = applicationKey(randomBytes(32).toString('base64url'))
  const claims = claimsOf(authorizationFor(ENDPOINT, key, 1_700_000_000_000))
  expect(claims).toEqual({
    publicKey: key.publicKey,
    aud: 'https://push.example.com',
    exp: 1_700_000_000 + 43_200,
    sub: expect.stringMatching(/^https:/) as string,
  })
})

test('a token that was changed, or signed by another key, is noticed', () => {
  const [one, two] = [1, 2].map(() => applicationKey(randomBytes(32).toString('base64url')))
  if (!one || !two) throw new Error('no keys')
  const header = authorizationFor(ENDPOINT, one, 0)
  expect(() => claimsOf(header.replace(one.publicKey, two.publicKey))).toThrow('signature')
  const other = authorizationFor('https://other.example.com', one, 0)
  const [, claims = ''] = /\.([\w-]+)\./.exec(other) ?? []
  expect(() => claimsOf(header.replace(/\.[\w-]+\./, `.${claims}.`))).toThrow('signature')
})

test('the same secret is the same key', () => {
  const secret = randomBytes(32).toString('base64url')
  expect(applicationKey(secret).publicKey).toBe(applicationKey(secret).publicKey)
  expect(Buffer.from(applicationKey(secret).publicKey, 'base64url')).toHaveLength(65)
})
