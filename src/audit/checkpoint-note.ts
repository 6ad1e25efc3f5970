import { type RecordHead, sha256Hex } from './record-row.ts'
import type { NoteSigner } from './signed-note.ts'

/** What a signed checkpoint says: how many rows the record had, and the hash of the last of them. */
export interface Checkpoint {
  /** The name of the record: that of its key. */
  readonly origin: string
  readonly size: number
  readonly head: string
  /** The hash of the note before this one; `NO_NOTE` in the first. */
  readonly previous: string
  readonly at: number
}

export const NO_NOTE = '-'

export function checkpointNote(
  signer: NoteSigner,
  head: RecordHead,
  { previous, at }: { previous: string | undefined; at: number },
): string {
  return signer.sign(
    [
      signer.verifier.name,
      String(head.number),
      Buffer.from(head.hash, 'hex').toString('base64'),
      `previous ${previous === undefined ? NO_NOTE : hashOfNote(previous)}`,
      `time ${new Date(at).toISOString()}`,
      '',
    ].join('\n'),
  )
}

/** The text of a note without its signatures; undefined if it is no checkpoint. */
export function checkpointIn(text: string): Checkpoint | undefined {
  const [origin = '', size = '', head = '', previous = '', time = ''] = text.split('\n')
  const hash = Buffer.from(head, 'base64').toString('hex')
  const [, before = ''] = /^previous (-|[0-9a-f]{64})$/.exec(previous) ?? []
  const at = Date.parse(time.slice('time '.length))
  if (!/^[1-9]\d{0,15}$/.test(size) || hash.length !== 64 || before === '' || Number.isNaN(at))
    return undefined
  return { origin, size: Number(size), head: hash, previous: before, at }
}

export function hashOfNote(note: string): string {
  return sha256Hex(note)
}

/** One line of ASCII, which syslog and every editor leave as it is. */
export function anchorLine(note: string): string {
  const text = JSON.stringify({ checkpoint: note })
  return text.replace(/[^\x20-\x7e]/g, (character) => `\\u${hexOf(character)}`)
}

/** The notes in a file of anchors, whatever a log has put before or after each. */
export function notesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [found] = /\{"checkpoint":"(?:[^"\\]|\\.)*"\}/.exec(line) ?? []
    return found === undefined ? [] : noteOf(found)
  })
}

function noteOf(json: string): string[] {
  try {
    const { checkpoint }: { checkpoint: string } = JSON.parse(json)
    return [checkpoint]
  } catch {
    return [] // cut off or damaged by the log
  }
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
