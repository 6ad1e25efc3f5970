import { expect, test } from 'vitest'
import { type SignIns, signInBy } from '../../../src/transports/page/sign-in.ts'

/** Which way of signing in a body is, with what reaches it. */
async function wayOf(body: unknown): Promise<unknown> {
  const calls: unknown[] = []
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args])
      return { kind: 'waits' }
    }
  const devices = {
    signIn: note('signIn'),
    checkCode: note('checkCode'),
    confirmedSignIn: note('confirmedSignIn'),
  } as unknown as SignIns
  const from = 'here' as never
  const { signal } = new AbortController()
  await signInBy(devices, typeof body === 'string' ? body : JSON.stringify(body), { from, signal })
  return calls.flat().filter((part) => part !== signal)
}

test('a code is exchanged under the name of the browser, or only checked', async () => {
  expect(await wayOf({ code: 'c', name: 'phone' })).toEqual(['signIn', 'c', 'phone', 'here'])
  expect(await wayOf({ code: 'c' })).toEqual(['signIn', 'c', 'browser', 'here'])
  expect(await wayOf({ code: 'c', check: true })).toEqual(['checkCode', 'c', 'here'])
})

test('a device that waits for its person holds the request, with its secret', async () => {
  expect(await wayOf({ secret: 's' })).toEqual(['confirmedSignIn', 's', 25])
})

test.each<[unknown, string]>([
  ['{', 'no JSON'],
  ['null', 'no object'],
  [{}, 'nothing'],
  [{ code: 1 }, 'no text'],
  [{ code: 'c', check: false }, 'a check that is none'],
  [{ code: 'c', secret: 's' }, 'two ways at once'],
  [{ secret: 's', scope: 'operate' }, 'a field of ours'],
  [{ code: 'x'.repeat(101) }, 'a code that is too long'],
  [{ secret: 'x'.repeat(101) }, 'a secret that is too long'],
  [{ code: 'c', name: 'x'.repeat(101) }, 'a name that is too long'],
])('%j is refused: %s', async (body) => {
  await expect(wayOf(body)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a code of the greatest length is taken', async () => {
  const code = 'x'.repeat(100)
  expect(await wayOf({ code })).toEqual(['signIn', code, 'browser', 'here'])
})
