import { isAscii } from 'node:buffer'

/** One line of a stream, without its newline. */
export interface SplitLine {
  text: string
  /** Length in the stream, newline not counted. */
  bytes: number
  /** The line was longer than the cap: `text` is only its beginning, `bytes` still the whole length. */
  cut: boolean
  /** The position after its newline. */
  end: number
}

const NEWLINE = 10
const MIN_ASCII_CHECK = 64 * 1024
/** Sizes of the buffer for an unfinished line as it grows; the size after these is that of the longest line. */
const BUFFER_SIZES = [64 * 1024, 1024 * 1024]
const EMPTY = Buffer.alloc(0)

/**
 * Splits a byte stream at LF and nowhere else: readline also splits at a lone CR and, on newer versions of
 * Node, at U+2028, which JSON allows inside a string. A CR before the LF stays in the text, JSON ignores it.
 * Bytes that are not UTF-8 become U+FFFD; a byte order mark at the start of the stream is dropped; empty
 * lines are counted in `completeBytes` but not returned.
 *
 * The unfinished line is copied into a buffer, so the caller may read its next chunk into the same memory. The
 * buffer has room for the longest line as soon as a line is long: memory that is not touched costs nothing, and
 * touching new memory once more at each growth costs more than the copying. It is reused for the next line and released
 * when a chunk ends with a newline, as the last chunk before a pause does.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  readonly #keepBytes: number
  #held: Buffer = EMPTY
  /** Length so far of the unfinished line; more than what `#held` contains once it exceeds the cap. */
  #lineBytes = 0
  #completeBytes: number

  constructor(options: { start?: number; maxLineBytes?: number; keepBytes?: number } = {}) {
    this.#completeBytes = options.start ?? 0
    this.#maxLineBytes = options.maxLineBytes ?? 64 * 1024 * 1024
    this.#keepBytes = Math.min(options.keepBytes ?? 4096, this.#maxLineBytes)
  }

  /** The position after the last newline: the offset that is safe to store and to continue from (`start`). */
  get completeBytes(): number {
    return this.#completeBytes
  }

  /** All lines that this chunk completes. */
  push(chunk: Buffer): SplitLine[] {
    const lines: SplitLine[] = []
    const end = chunk.lastIndexOf(NEWLINE) + 1
    let start = 0
    if (end > 0 && this.#lineBytes > 0) {
      start = chunk.indexOf(NEWLINE) + 1
      this.#add(lines, this.#finish(chunk, 0, start - 1))
    }
    if (start < end) this.#addWhole(lines, chunk, start, end)
    if (end < chunk.length) this.#hold(chunk, end, chunk.length)
    else if (this.#lineBytes === 0) this.#held = EMPTY
    return lines
  }

  /** What is left without a newline when the stream is over. It is not part of `completeBytes`. */
  end(): SplitLine | undefined {
    const line = this.#lineBytes === 0 ? undefined : this.#finish(this.#held, 0, 0)
    return line === undefined || isBlank(line) ? undefined : line
  }

  /** Adds the lines that are complete in the chunk. In ASCII a character is a byte, so all are decoded in one call. */
  #addWhole(lines: SplitLine[], chunk: Buffer, start: number, end: number): void {
    if (end - start <= this.#maxLineBytes && isAscii(chunk.subarray(start, end))) {
      for (const text of chunk.toString('latin1', start, end - 1).split('\n')) {
        this.#add(lines, { text, bytes: text.length, cut: false, end: this.#completeBytes + text.length + 1 })
      }
      return
    }
    for (let position = start; position < end;) {
      const newline = chunk.indexOf(NEWLINE, position)
      this.#add(lines, this.#read(chunk, position, newline))
      position = newline + 1
    }
  }

  #add(lines: SplitLine[], line: SplitLine): void {
    this.#completeBytes = line.end
    if (!isBlank(line)) lines.push(line)
  }

  #finish(chunk: Buffer, start: number, end: number): SplitLine {
    this.#hold(chunk, start, end)
    const line = this.#read(this.#held, 0, this.#lineBytes)
    this.#lineBytes = 0
    return line
  }

  #hold(chunk: Buffer, start: number, end: number): void {
    const before = this.#heldBytes()
    this.#lineBytes += end - start
    const wanted = this.#heldBytes()
    if (wanted > this.#held.length) {
      const roomy = BUFFER_SIZES.find((size) => size >= wanted) ?? this.#maxLineBytes
      const grown = Buffer.allocUnsafeSlow(Math.max(wanted, Math.min(roomy, this.#maxLineBytes)))
      this.#held.copy(grown, 0, 0, before)
      this.#held = grown
    } else if (wanted < before) {
      this.#held = Buffer.from(this.#held.subarray(0, wanted)) // past the cap: release the rest
    }
    if (wanted > before) chunk.copy(this.#held, before, start, start + wanted - before)
  }

  /** One byte more than is kept of a line past the cap: it shows whether the cut is inside a character. */
  #heldBytes(): number {
    return this.#lineBytes > this.#maxLineBytes ? this.#keepBytes + 1 : this.#lineBytes
  }

  #read(buffer: Buffer, start: number, end: number): SplitLine {
    const bytes = end - start
    const cut = bytes > this.#maxLineBytes
    const textEnd = cut ? characterStart(buffer, start + this.#keepBytes, start) : end
    const text = textOf(buffer, start, textEnd)
    const marked = this.#completeBytes === 0 && text.charCodeAt(0) === 0xfeff
    return { text: marked ? text.slice(1) : text, bytes, cut, end: this.#completeBytes + bytes + 1 }
  }
}

/** An empty line, also one that ends in CR LF. */
function isBlank({ text, cut }: SplitLine): boolean {
  return !cut && (text === '' || text === '\r')
}

/** Copying ASCII is so much faster than decoding UTF-8 that the check pays off, except for short lines. */
function textOf(buffer: Buffer, start: number, end: number): string {
  const copies = end - start > MIN_ASCII_CHECK && isAscii(buffer.subarray(start, end))
  return buffer.toString(copies ? 'latin1' : 'utf8', start, end)
}

/** The position itself, or the start of the UTF-8 character that it would cut in two. */
function characterStart(buffer: Buffer, position: number, lowest: number): number {
  let start = position
  while (start > lowest && start > position - 3 && (buffer.readUInt8(start) & 0xc0) === 0x80) start--
  return start
}
