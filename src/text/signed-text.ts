import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs state that a client carries from one message to the next, so that the next hub of the home folder can trust it. */
export interface Signer {
  /** Encodes a JSON value as text that fits into a header. Everybody can read it. */
  readonly sign: (purpose: string, value: unknown) => string
  /** Returns the value, or undefined where it was not signed with this key for this purpose. The caller validates its shape. */
  readonly open: (purpose: string, text: string) => unknown
}

/** A text that was signed for one purpose is not valid for any other. */
export function createSigner(key: string): Signer {
  const signatureOf = (purpose: string, body: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, body]))
      .digest()
  return {
    sign: (purpose, value) => {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${body}.${signatureOf(purpose, body).toString('base64url')}`
    },
    open: (purpose, text) => {
      const [, body = '', signature = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? []
      const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(purpose, body)]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
    },
  }
}
