import type { ReadLine } from './transcript-line.ts'

const MAX_LINES = 64
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Puts each line after its parent. The CLI in a terminal may write an answer before its prompt if the answer comes at once
 * (seen with 2.1.197). A line is held back until its parent line has passed; if too much is held back, because the parent was
 * never written, all lines pass in the order of the file.
 */
export class LinesInOrder {
  readonly #passed = new Set<string>()
  #heldBack: ReadLine[] = []
  #bytes = 0

  push(read: ReadLine): ReadLine[] {
    // The CLI may write lines again that it keeps over a compaction.
    if (read.line?.uuid && this.#passed.has(read.line.uuid)) return []
    if (!this.#follows(read)) {
      this.#heldBack.push(read)
      this.#bytes += read.split.bytes
      return this.#heldBack.length > MAX_LINES || this.#bytes > MAX_BYTES ? this.end() : []
    }
    const ready = [this.#pass(read)]
    for (let index = 0; index < this.#heldBack.length;) {
      const next = this.#heldBack[index]
      if (!next || !this.#follows(next)) {
        index += 1
        continue
      }
      this.#heldBack.splice(index, 1)
      this.#bytes -= next.split.bytes
      ready.push(this.#pass(next))
      index = 0
    }
    return ready
  }

  /** The lines still held back, in the order of the file. */
  end(): ReadLine[] {
    const ready = this.#heldBack.map((read) => this.#pass(read))
    this.#heldBack = []
    this.#bytes = 0
    return ready
  }

  #follows({ line }: ReadLine): boolean {
    return line?.parentUuid === undefined || this.#passed.has(line.parentUuid)
  }

  #pass(read: ReadLine): ReadLine {
    if (read.line?.uuid) this.#passed.add(read.line.uuid)
    return read
  }
}
