import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'

/** The key by which push services know that all messages to a subscription come from the same hub (RFC 8292). */
export interface ApplicationKey {
  /** Browsers get it when they subscribe; base64url. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

/** A push service refuses what is valid for longer than a day. */
const VALID_SECONDS = 12 * 3_600
/** Where the operator of a push service finds what sends this. It names the program, and nothing of its user. */
const CONTACT = 'https://github.com/plexus-mcp/plexus'

/** The key pair of 32 secret bytes, base64url. */
export function applicationKey(secret: string): ApplicationKey {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(secret, 'base64url'))
  const point = pair.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: secret,
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  }
}

/** The header `Authorization` of a message: a token for this push service alone, signed with ES256. */
export function authorizationFor(
  endpoint: string,
  { publicKey, privateKey }: ApplicationKey,
  now: number,
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1_000) + VALID_SECONDS,
    sub: CONTACT,
  }
  const head = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(head), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${head}.${signature.toString('base64url')}, k=${publicKey}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
