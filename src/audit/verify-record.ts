import { checkpointIn, hashOfNote, NO_NOTE } from './checkpoint-note.ts'
import { hashOfRow, NO_ROWS, type RecordHead, type RecordRow } from './record-row.ts'
import type { BrokenRow, RecordReport } from './record-report.ts'
import type { NoteVerifier } from './signed-note.ts'

/** A record as it is read: rows by their numbers, and each checkpoint right after the row that it ends with. */
export type RecordItem = { readonly row: RecordRow } | { readonly checkpoint: string }

export interface CheckOptions {
  readonly verifier?: NoteVerifier | undefined
  /** Notes that were handed to a place outside. */
  readonly anchors?: readonly string[] | undefined
}

interface Anchor {
  readonly size: number
  readonly head: string
}

/**
 * Checks a record item by item, in constant memory. A chain alone proves little, because it can be computed anew; a checkpoint
 * proves that the key has seen it, and an anchor that it was so when the anchor was written.
 */
export class RecordCheck {
  readonly #verifier: NoteVerifier | undefined
  readonly #anchors = new Map<number, Anchor[]>()
  readonly #given: number
  #furthest = 0
  #head: RecordHead = NO_ROWS
  #time = -Infinity
  #first: number | undefined
  #last = 0
  #rows = 0
  #signed = 0
  #anchored = 0
  #note: string | undefined
  /** What is missing at the beginning, if the record does not begin with row 1. */
  #missing: RecordHead | undefined
  #cutRow: number | undefined
  #broken: BrokenRow | undefined
  #clockSetBack: number | undefined

  constructor({ verifier, anchors = [] }: CheckOptions = {}) {
    this.#verifier = verifier
    this.#given = anchors.length
    for (const note of anchors) this.#addAnchor(note)
  }

  add(item: RecordItem): void {
    if ('row' in item) this.#addRow(item.row)
    else this.#addCheckpoint(item.checkpoint)
  }

  /** A part of the record that cannot even be read. */
  addUnreadable(reason: string): void {
    this.#break(this.#head.number + 1, reason)
  }

  report(): RecordReport {
    this.#checkEnds()
    const cut = this.#missing?.number
    const anchored = this.#broken ? Math.min(this.#anchored, this.#broken.number - 1) : this.#anchored
    return {
      rows: this.#rows,
      first: this.#first ?? 1,
      last: this.#last,
      anchored,
      signed: this.#signed,
      ...(this.#broken ? { broken: this.#broken } : {}),
      ...(cut === undefined || this.#cutRow === undefined ? {} : { cut }),
      anchors: { given: this.#given, beforeCut: this.#anchorsBelow(cut ?? 0) },
      signaturesChecked: this.#verifier !== undefined,
      ...(this.#clockSetBack === undefined ? {} : { clockSetBack: this.#clockSetBack }),
    }
  }

  #addAnchor(note: string): void {
    const text = this.#verifier ? this.#verifier.open(note) : note
    const anchor = text === undefined ? undefined : checkpointIn(text)
    if (!anchor) return this.#break(1, 'an anchor is not signed by the key of this record.')
    const { size, head } = anchor
    this.#furthest = Math.max(this.#furthest, size)
    this.#anchors.set(size, [...(this.#anchors.get(size) ?? []), { size, head }])
  }

  #addRow(row: RecordRow): void {
    this.#rows += 1
    this.#last = row.number
    if (this.#first === undefined) this.#begin(row)
    if (this.#broken) return
    const { number, hash } = this.#head
    if (row.number <= number) return this.#break(row.number, 'a row with this number came before it.')
    if (row.number > number + 1)
      return this.#break(number + 1, `it is missing; the next row is ${row.number}.`)
    if (row.previous !== hash) return this.#break(row.number, 'it does not follow from the row before it.')
    if (hashOfRow(row) !== row.hash) return this.#break(row.number, 'it was changed after it was written.')
    this.#head = { number: row.number, hash: row.hash }
    if (row.at < this.#time) this.#clockSetBack ??= row.number
    this.#time = row.at
    if (row.kind === 'cut') this.#noteCut(row)
    this.#compareAnchors()
  }

  /** A record that was cut begins after the rows that are gone; that this is right shows later. */
  #begin(row: RecordRow): void {
    this.#first = row.number
    if (row.number <= 1) return
    this.#missing = { number: row.number - 1, hash: row.previous }
    if (this.#head.number === 0) this.#head = this.#missing
    this.#compareAnchors()
  }

  #noteCut({ number, body }: RecordRow): void {
    const { to, head }: { to?: unknown; head?: unknown } = JSON.parse(body)
    if (to === this.#missing?.number && head === this.#missing?.hash) this.#cutRow = number
  }

  #compareAnchors(): void {
    const { number, hash } = this.#head
    for (const { head } of this.#anchors.get(number) ?? []) {
      if (head !== hash) return this.#break(number, 'an anchor has another hash for it.')
      this.#anchored = number
    }
  }

  #addCheckpoint(note: string): void {
    if (this.#broken || !this.#verifier) return
    const text = this.#verifier.open(note)
    const checkpoint = text === undefined ? undefined : checkpointIn(text)
    const next = this.#signed + 1
    if (!checkpoint || checkpoint.origin !== this.#verifier.name)
      return this.#break(next, 'the next checkpoint is not signed by the key of this record.')
    const { size, head, previous } = checkpoint
    const isFirst = this.#note === undefined
    const isStub = isFirst && this.#rows === 0
    if (!isStub && previous !== (this.#note === undefined ? NO_NOTE : hashOfNote(this.#note)))
      return this.#break(next, 'the next checkpoint does not follow from the checkpoint before it.')
    // The stub of a cut comes before the first row that is left.
    if (isStub) this.#head = { number: size, hash: head }
    if (size > this.#head.number)
      return this.#break(this.#head.number + 1, `it is missing; a checkpoint was signed for ${size} rows.`)
    if (size < this.#head.number) return this.#break(size, 'its checkpoint is not in its place.')
    if (head !== this.#head.hash) return this.#break(size, 'a signed checkpoint has another hash for it.')
    this.#note = note
    this.#signed = size
  }

  #checkEnds(): void {
    if (this.#broken) return
    const { number } = this.#head
    if (this.#furthest > number)
      return this.#break(number + 1, `it is missing; an anchor was written for ${this.#furthest} rows.`)
    if (this.#first === undefined && this.#signed > 0)
      return this.#break(this.#signed, 'it is missing; a checkpoint was signed for it.')
    const isStubbed = this.#cutRow !== undefined && (!this.#verifier || this.#cutRow <= this.#signed)
    if (this.#missing && !isStubbed)
      this.#break(
        1,
        `rows 1 to ${this.#missing.number} are missing, and no signed row says that they were cut.`,
      )
  }

  #anchorsBelow(cut: number): number {
    return [...this.#anchors.values()].flat().filter(({ size }) => size < cut).length
  }

  #break(number: number, reason: string): void {
    this.#broken ??= { number, reason }
  }
}
