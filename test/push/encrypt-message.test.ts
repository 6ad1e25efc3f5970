import { createECDH, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { areUsableKeys, encryptMessage } from '../../src/push/encrypt-message.ts'
import { decryptMessage, newSubscription } from '../rig/clients/push-subscription.ts'

/** The example of RFC 8291, appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  sender: {
    private: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    public: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  },
  receiver: {
    private: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('the example of RFC 8291 is encrypted to its very bytes, and its receiver reads it', () => {
  const { receiver, sender, salt, text, message } = EXAMPLE
  for (const { private: secret, point } of [
    { ...sender, point: sender.public },
    { ...receiver, point: receiver.p256dh },
  ]) {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(Buffer.from(secret, 'base64url'))
    expect(pair.getPublicKey('base64url')).toBe(point)
  }
  const secrets = {
    privateKey: Buffer.from(sender.private, 'base64url'),
    salt: Buffer.from(salt, 'base64url'),
  }
  expect(encryptMessage(text, receiver, { secrets }).toString('base64url')).toBe(message)
  const secret = Buffer.from(receiver.private, 'base64url')
  expect(decryptMessage(Buffer.from(message, 'base64url'), { ...receiver, secret })).toBe(text)
})

test('any text is read by its receiver, and by nobody else; texts of similar length look the same', () => {
  const [receiver, other] = [newSubscription(), newSubscription()]
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const message = encryptMessage(text, receiver, { padTo: 1024 })
      expect(message.length % 1024).toBe(86 + 16)
      expect(decryptMessage(message, receiver)).toBe(Buffer.from(text).toString())
      expect(() => decryptMessage(message, other)).toThrow('authenticate')
    }),
    { numRuns: 30 },
  )
})

test('two messages share neither key nor salt', () => {
  const receiver = newSubscription()
  const [one, two] = [encryptMessage('x', receiver), encryptMessage('x', receiver)]
  expect(one.subarray(0, 16)).not.toEqual(two.subarray(0, 16))
  expect(one.subarray(21, 86)).not.toEqual(two.subarray(21, 86))
})

test('what is too long for one record is refused', () => {
  expect(() => encryptMessage('x'.repeat(4_080), newSubscription())).toThrow(RangeError)
})

test('keys are usable if they are a point of the curve and 16 bytes', () => {
  const { p256dh, auth } = newSubscription()
  expect(areUsableKeys({ p256dh, auth })).toBe(true)
  const offCurve = Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url')
  for (const keys of [
    { p256dh: offCurve, auth },
    { p256dh: Buffer.alloc(65).toString('base64url'), auth },
    { p256dh: p256dh.slice(0, 40), auth },
    { p256dh, auth: auth.slice(0, 10) },
    { p256dh: '', auth: '' },
  ])
    expect(areUsableKeys(keys)).toBe(false)
})
