import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { AppError } from '../base/errors.ts'

/**
 * The form of a signed note (https://c2sp.org/signed-note): a text, an empty line, and lines with signatures. Keys have the
 * encodings of that form too, so that other programs can check what we sign.
 */
export interface NoteVerifier {
  readonly name: string
  /** The public key in its text form. */
  readonly text: string
  /** The signed text, with its last line break; undefined if this key has not signed the note. */
  readonly open: (note: string) => string | undefined
}

export interface NoteSigner {
  readonly verifier: NoteVerifier
  readonly sign: (text: string) => string
}

const ED25519 = 1
const PRIVATE = 'PRIVATE+KEY+'
/** What precedes the 32 bytes of a key in the encodings that Node reads. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const SIGNATURES = '\n\n— '

/** The text of a new private key. */
export function newSignerText(name: string, seed: Buffer): string {
  const key = Buffer.concat([Buffer.from([ED25519]), seed]).toString('base64')
  return `${PRIVATE}${name}+${keyIdOf(name, publicBytes(privateKey(seed))).toString('hex')}+${key}`
}

export function noteSigner(text: string): NoteSigner {
  const { name, bytes: seed } = keyParts(text.startsWith(PRIVATE) ? text.slice(PRIVATE.length) : '')
  const key = privateKey(seed)
  const bytes = publicBytes(key)
  const id = keyIdOf(name, bytes)
  const encoded = Buffer.concat([Buffer.from([ED25519]), bytes]).toString('base64')
  return {
    verifier: noteVerifier(`${name}+${id.toString('hex')}+${encoded}`),
    sign: (signed) => {
      const signature = Buffer.concat([id, sign(null, Buffer.from(signed), key)])
      return `${signed}\n— ${name} ${signature.toString('base64')}\n`
    },
  }
}

export function noteVerifier(text: string): NoteVerifier {
  const { name, bytes, id } = keyParts(text)
  if (!keyIdOf(name, bytes).equals(id)) throw notAKey()
  const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' })
  const opens = (signed: string, line: string) => {
    const [signer, encoded = ''] = line.split(' ')
    const signature = Buffer.from(encoded, 'base64')
    if (signer !== name || !signature.subarray(0, 4).equals(id)) return false
    return verify(null, Buffer.from(signed), key, signature.subarray(4))
  }
  return {
    name,
    text: text.trim(),
    open: (note) => {
      const end = note.lastIndexOf(SIGNATURES)
      if (end < 0 || !note.endsWith('\n')) return undefined
      const signed = note.slice(0, end + 1)
      const lines = note.slice(end + 2, -1).split('\n')
      return lines.some((line) => line.startsWith('— ') && opens(signed, line.slice(2))) ? signed : undefined
    },
  }
}

/** NAME+ID+KEY; a name has no `+`, and the base64 of the key may. */
function keyParts(text: string): { name: string; id: Buffer; bytes: Buffer } {
  const [, name = '', id = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const bytes = Buffer.from(key, 'base64')
  if (name === '' || bytes.length !== 33 || bytes[0] !== ED25519) throw notAKey()
  return { name, id: Buffer.from(id, 'hex'), bytes: bytes.subarray(1) }
}

function notAKey(): AppError {
  return new AppError('invalid_input', 'This is no key of a record; record.pub in the home folder is one.')
}

function keyIdOf(name: string, bytes: Buffer): Buffer {
  const input = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ED25519]), bytes])
  return createHash('sha256').update(input).digest().subarray(0, 4)
}

function privateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)
}
