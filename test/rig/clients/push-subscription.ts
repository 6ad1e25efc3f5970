/** The browser's side of web push: a subscription with its secret, and what reads a message for it. Written by RFC 8291 and 8188. */
import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'

export interface Subscription {
  readonly p256dh: string
  readonly auth: string
  readonly secret: Buffer
}

export function newSubscription(): Subscription {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    p256dh: pair.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
    secret: pair.getPrivateKey(),
  }
}

/** Step by step as section 3.4 of RFC 8291 writes it, with HMAC alone: nothing is shared with what encrypts. */
export function decryptMessage(message: Buffer, { p256dh, auth, secret }: Subscription): string {
  const salt = message.subarray(0, 16)
  const keyLength = message.readUInt8(20)
  const sender = message.subarray(21, 21 + keyLength)
  const record = message.subarray(21 + keyLength)
  if (record.length > message.readUInt32BE(16)) throw new Error('The record is longer than it may be.')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  const ecdh = pair.computeSecret(sender)
  const keyPrk = hmac(Buffer.from(auth, 'base64url'), ecdh)
  const one = Buffer.of(1)
  const ikm = hmac(keyPrk, 'WebPush: info\0', Buffer.from(p256dh, 'base64url'), sender, one)
  const prk = hmac(salt, ikm)
  const key = hmac(prk, 'Content-Encoding: aes128gcm\0', one).subarray(0, 16)
  const nonce = hmac(prk, 'Content-Encoding: nonce\0', one).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('This is not the last record.')
  return padded.subarray(0, end).toString()
}

function hmac(key: Buffer, ...data: (Buffer | string)[]): Buffer {
  return data.reduce((sum, part) => sum.update(part), createHmac('sha256', key)).digest()
}
