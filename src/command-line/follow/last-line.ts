import type { WriteStream } from 'node:tty'
import { charactersOf, cut } from '../views/columns.ts'

const DEFAULT_COLUMNS = 80

/** A screen that only grows, and a last line that is painted again: nothing that was printed is ever erased. */
export class LastLine {
  readonly #stream: Pick<WriteStream, 'write'> & { readonly columns?: number }
  #line = ''

  constructor(stream: Pick<WriteStream, 'write'> & { readonly columns?: number }) {
    this.#stream = stream
  }

  /** Lines above the last line. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return
    this.#stream.write(`\r${CLEAR}${lines.map((line) => `${line}\r\n`).join('')}${this.#shown(this.#line)}`)
  }

  paint(line: string): void {
    if (line === this.#line) return
    this.#line = line
    this.#stream.write(`\r${CLEAR}${this.#shown(line)}`)
  }

  /** The end of a long line is what is being typed. */
  #shown(line: string): string {
    const columns = (this.#stream.columns ?? DEFAULT_COLUMNS) - 1
    const characters = charactersOf(line)
    const over = characters.length - columns
    return over > 0 ? `…${characters.slice(over + 1).join('')}` : cut(line, columns)
  }
}

/** From the cursor to the end of the line. */
const CLEAR = '\u001B[K'
