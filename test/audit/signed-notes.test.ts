import { describe, expect, test } from 'vitest'
import {
  checkpointIn,
  checkpointNote,
  hashOfNote,
  NO_NOTE,
  notesIn,
} from '../../src/audit/checkpoint-note.ts'
import { AppError } from '../../src/base/errors.ts'
import { newSignerText, noteSigner, noteVerifier } from '../../src/audit/signed-note.ts'
import { aSigner } from '../rig/tools/written-record.ts'

const signer = aSigner()
const { verifier } = signer

describe('a note', () => {
  const note = signer.sign('one\ntwo\n')
  const [text = '', line = ''] = note.split('\n\n')

  test('has its text, an empty line, and a line with the name of the key and the signature', () => {
    expect(text).toBe('one\ntwo')
    expect(line).toMatch(/^— plexus-record-test [A-Za-z0-9+/]+=*\n$/)
  })

  test('is opened among signatures of others, in any order', () => {
    const other = aSigner(2, 'other').sign('one\ntwo\n').split('\n\n')[1] ?? ''
    expect(verifier.open(`${text}\n\n${line}${other}`)).toBe('one\ntwo\n')
    expect(verifier.open(`${text}\n\n${other}${line}`)).toBe('one\ntwo\n')
    expect(verifier.open(`${text}\n\n${other}`)).toBeUndefined()
  })

  test('is not opened without its last line break, its empty line or its dash', () => {
    expect(verifier.open(note.slice(0, -1))).toBeUndefined()
    expect(verifier.open(note.replace('\n\n', '\n'))).toBeUndefined()
    expect(verifier.open(note.replace('— ', '- '))).toBeUndefined()
    expect(verifier.open('one\ntwo\n')).toBeUndefined()
  })

  test('is not opened where the right signature stands under another name, or under another key', () => {
    expect(verifier.open(note.replace('— plexus-record-test', '— other'))).toBeUndefined()
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    expect(verifier.open(`${text}\n\n— plexus-record-test ${bytes.toString('base64')}\n`)).toBeUndefined()
  })

  test('may have an empty line in its text', () => {
    const other = signer.sign('one\n\ntwo\n')
    expect(verifier.open(other)).toBe('one\n\ntwo\n')
  })
})

describe('the text of a key', () => {
  const secret = newSignerText('name', Buffer.alloc(32, 7))

  test('is read with space around it, and names the key by its hash', () => {
    const { text, name } = noteSigner(` ${secret}\n`.trim()).verifier
    expect(name).toBe('name')
    expect(text).toMatch(/^name\+[0-9a-f]{8}\+A/)
    expect(noteVerifier(`\n${text} \n`).text).toBe(text)
    expect(noteSigner(newSignerText('other', Buffer.alloc(32, 7))).verifier.text.slice(6, 14)).not.toBe(
      text.slice(5, 13),
    )
    expect(noteSigner(newSignerText('name', Buffer.alloc(32, 8))).verifier.text.slice(5, 13)).not.toBe(
      text.slice(5, 13),
    )
  })

  test('has the hash that the form of signed notes gives it', () => {
    // A key that another program has made.
    expect(noteVerifier('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW').name).toBe(
      'PeterNeumann',
    )
  })

  test.each([
    ['a private key where a public one is wanted', secret],
    ['a text before it', 'x name+00000000+AAAA'],
    ['nothing', ''],
    ['another algorithm', noteSigner(secret).verifier.text.replace('+A', '+B')],
    ['a key that is too short', noteSigner(secret).verifier.text.slice(0, -4)],
    ['a key with something after it', `${noteSigner(secret).verifier.text} x`],
  ])('is refused: %s', (_, text) => {
    expect(() => noteVerifier(text)).toThrow(AppError)
    expect(() => noteVerifier(text)).toThrow('This is no key of a record')
  })

  test('of a signer is refused without its mark', () => {
    expect(() => noteSigner(secret.replace('PRIVATE+KEY+', ''))).toThrow('This is no key of a record')
  })
})

const text = (note: string) => verifier.open(note) ?? ''

describe('a checkpoint', () => {
  const head = { number: 12, hash: 'ab'.repeat(32) }
  const first = checkpointNote(signer, head, { previous: undefined, at: 1_000 })

  test('says what it was made from', () => {
    expect(checkpointIn(text(first))).toEqual({
      origin: 'plexus-record-test',
      size: 12,
      head: head.hash,
      previous: NO_NOTE,
      at: 1_000,
    })
    const second = checkpointNote(signer, head, { previous: first, at: 2_000 })
    expect(checkpointIn(text(second))?.previous).toBe(hashOfNote(first))
  })

  test.each([
    ['a size of 0', '\n12\n', '\n0\n'],
    ['a size with a zero before it', '\n12\n', '\n012\n'],
    ['a size with something after it', '\n12\n', '\n12x\n'],
    ['a size with something before it', '\n12\n', '\nx12\n'],
    ['a size beyond what a number can hold', '\n12\n', `\n1${'0'.repeat(16)}\n`],
    ['a short hash', 'q6urq6ur', 'q6ur'],
    ['no hash before it', 'previous -', 'previous'],
    ['another word for the hash before it', 'previous -', 'xprevious -'],
    ['something after the hash before it', 'previous -', 'previous - x'],
    ['no time', /time .*/, 'time x'],
  ])('is none with %s', (_, part, instead) => {
    const changed = text(first).replace(part, instead)
    expect(changed).not.toBe(text(first))
    expect(checkpointIn(changed)).toBeUndefined()
  })

  test('in a log that has damaged it is left out', () => {
    expect(notesIn('{"checkpoint":"a\\x"}\n{"checkpoint":"b"}\nnothing')).toEqual(['b'])
    expect(notesIn('')).toEqual([])
  })
})
