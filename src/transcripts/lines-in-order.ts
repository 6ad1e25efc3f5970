import type { ReadLine } from './transcript-line.ts'

const MAX_LINES = 64
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Puts lines behind the one they follow. The CLI in a terminal may write an answer before the prompt it answers,
 * when the answer comes at once (seen with 2.1.197). A line waits until the line named as its parent came by; when
 * too much is waiting, as when that line was never written, all goes on as it came.
 */
export class LinesInOrder {
  readonly #seen = new Set<string>()
  #waiting: ReadLine[] = []
  #bytes = 0

  push(read: ReadLine): ReadLine[] {
    // What the CLI keeps over a compaction it may write once more; it was told.
    if (read.line?.uuid && this.#seen.has(read.line.uuid)) return []
    if (!this.#follows(read)) {
      this.#waiting.push(read)
      this.#bytes += read.split.bytes
      return this.#waiting.length > MAX_LINES || this.#bytes > MAX_BYTES ? this.end() : []
    }
    const ready = [this.#pass(read)]
    for (let index = 0; index < this.#waiting.length;) {
      const next = this.#waiting[index]
      if (!next || !this.#follows(next)) {
        index += 1
        continue
      }
      this.#waiting.splice(index, 1)
      this.#bytes -= next.split.bytes
      ready.push(this.#pass(next))
      index = 0
    }
    return ready
  }

  /** What is still waiting, as it came. */
  end(): ReadLine[] {
    const ready = this.#waiting.map((read) => this.#pass(read))
    this.#waiting = []
    this.#bytes = 0
    return ready
  }

  #follows({ line }: ReadLine): boolean {
    return line?.parentUuid === undefined || this.#seen.has(line.parentUuid)
  }

  #pass(read: ReadLine): ReadLine {
    if (read.line?.uuid) this.#seen.add(read.line.uuid)
    return read
  }
}
