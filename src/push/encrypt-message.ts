import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a browser's subscription, as it names them: only that browser can read what is encrypted for them. */
export interface SubscriptionKeys {
  /** Its public key on P-256, base64url. */
  readonly p256dh: string
  /** A secret that it shares with us, base64url. */
  readonly auth: string
}

/** What is drawn anew for each message; given only where a known result is compared. */
export interface MessageSecrets {
  readonly privateKey: Buffer
  readonly salt: Buffer
}

const CURVE = 'prime256v1'
const RECORD_SIZE = 4_096
const LAST_RECORD = 2
const TAG_BYTES = 16
const POINT_BYTES = 65
const AUTH_BYTES = 16

/**
 * Encrypts a message for one subscription: RFC 8291 with the content coding aes128gcm of RFC 8188, in one record. It is padded
 * to a multiple of `padTo`, so that its length says little.
 */
export function encryptMessage(
  text: string,
  { p256dh, auth }: SubscriptionKeys,
  { padTo = 1, secrets = newSecrets() }: { padTo?: number; secrets?: MessageSecrets } = {},
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const own = createECDH(CURVE)
  own.setPrivateKey(secrets.privateKey)
  const ours = own.getPublicKey()
  const { key, nonce } = contentKeys({
    shared: own.computeSecret(theirs),
    auth: Buffer.from(auth, 'base64url'),
    receiver: theirs,
    sender: ours,
    salt: secrets.salt,
  })
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([cipher.update(padded(text, padTo)), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([headerOf(secrets.salt, ours), record])
}

interface KeyInputs {
  readonly shared: Buffer
  readonly auth: Buffer
  readonly receiver: Buffer
  readonly sender: Buffer
  readonly salt: Buffer
}

function contentKeys({ shared, auth, receiver, sender, salt }: KeyInputs): { key: Buffer; nonce: Buffer } {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const input = derive(shared, auth, info, 32)
  return {
    key: derive(input, salt, 'Content-Encoding: aes128gcm\0', 16),
    nonce: derive(input, salt, 'Content-Encoding: nonce\0', 12),
  }
}

function derive(secret: Buffer, by: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, by, info, bytes))
}

function padded(text: string, padTo: number): Buffer {
  const content = Buffer.concat([Buffer.from(text), Buffer.of(LAST_RECORD)])
  const size = Math.ceil(content.length / padTo) * padTo
  if (size + TAG_BYTES > RECORD_SIZE) throw new RangeError('The message is too long for a push.')
  return Buffer.concat([content, Buffer.alloc(size - content.length)])
}

function headerOf(salt: Buffer, sender: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  return Buffer.concat([salt, size, Buffer.of(sender.length), sender])
}

function newSecrets(): MessageSecrets {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  return { privateKey: pair.getPrivateKey(), salt: randomBytes(16) }
}

/** Whether a message can be encrypted for these keys: a point of the curve, and a secret of the right length. */
export function areUsableKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    const pair = createECDH(CURVE)
    pair.generateKeys()
    pair.computeSecret(point)
    return true
  } catch {
    return false
  }
}
