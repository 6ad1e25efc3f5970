import type { TerminalLook } from '../terminal/terminal-look.ts'
import { wordRows } from '../terminal/word-rows.ts'
import type { PromptRows } from '../dialog/prompt-rows.ts'
import type { Style } from '../views/session-words.ts'
import { widthOf } from '../views/columns.ts'
import { type Footer, footerRows } from './footer-lines.ts'

/** Where a session is followed: lines that stay, and after them what can be done now. */
export interface FollowScreen {
  readonly print: (lines: readonly string[]) => void
  /** Prints each line as it is: where it is too long, the terminal breaks it, and it can be copied whole. */
  readonly printExact: (lines: readonly string[]) => void
  readonly paint: (footer: Footer) => void
  /** Removes what is not a line that stays, before the terminal is given back. */
  readonly clear: () => void
  /** The terminal has another size. */
  readonly resized: () => void
}

/** What comes after the terminal was given back is not shown: the screen is the shell's then. */
export function untilEnded(screen: FollowScreen, ended: AbortSignal): FollowScreen {
  const unless = (show: () => void) => {
    if (!ended.aborted) show()
  }
  return {
    print: (lines) => unless(() => screen.print(lines)),
    printExact: (lines) => unless(() => screen.printExact(lines)),
    paint: (footer) => unless(() => screen.paint(footer)),
    clear: () => unless(() => screen.clear()),
    resized: () => unless(() => screen.resized()),
  }
}

export interface ScreenStream {
  readonly write: (text: string) => unknown
  readonly columns?: number
  readonly rows?: number
}

/** A screen that only grows, and a footer that is painted again: nothing that was printed is ever erased. */
export class FooterScreen implements FollowScreen {
  readonly #stream: ScreenStream
  readonly #look: TerminalLook
  #footer: Footer | undefined
  /** As they are on the screen. */
  #rows: readonly string[] = []
  /** The column of the cursor in the last row; undefined at its end. */
  #cursor: number | undefined
  #columns = 0

  constructor(stream: ScreenStream, look: TerminalLook) {
    this.#stream = stream
    this.#look = look
  }

  print(lines: readonly string[]): void {
    const { encode } = this.#look
    const width = this.#size.columns - 1
    this.printExact(lines.flatMap((line) => wordRows(encode(line), width)))
  }

  printExact(lines: readonly string[]): void {
    if (lines.length === 0) return
    const { columns } = this.#size
    const printed = lines.map((line) => {
      const text = this.#look.encode(line)
      // After a row that is full the cursor still stands on its last character, which would be erased.
      const isFull = text !== '' && widthOf(text) % columns === 0
      return `${text}${isFull ? '' : END_OF_LINE}\r\n`
    })
    this.#write(printed.join(''))
  }

  paint(footer: Footer): void {
    this.#footer = footer
    const { rows, cursor } = this.#rowsNow()
    const isOther = rows.length !== this.#rows.length || rows.some((row, at) => row !== this.#rows[at])
    if (isOther || cursor !== this.#cursor) this.#write('')
  }

  clear(): void {
    this.#stream.write(`${this.#toFirstRow()}${BELOW}`)
    this.#rows = []
  }

  resized(): void {
    this.#write('')
  }

  /** In one go, each row over the old one, so that nothing flickers. */
  #write(above: string): void {
    const start = this.#toFirstRow()
    const { rows, cursor } = this.#rowsNow()
    this.#rows = rows
    this.#cursor = cursor
    this.#columns = this.#size.columns
    const { style } = this.#look
    const painted = this.#rows.map(
      (row, at) => (at === 0 ? style(this.#statusStyle, row) : row) + END_OF_LINE,
    )
    this.#stream.write(start + above + painted.join('\r\n') + BELOW + this.#toCursor())
  }

  get #statusStyle(): Style {
    return this.#footer?.needsPerson ? 'attention' : 'faint'
  }

  #rowsNow(): PromptRows {
    if (!this.#footer) return { rows: [] }
    return footerRows(this.#footer, { ...this.#size, encode: this.#look.encode })
  }

  /** From the end of the last row. */
  #toCursor(): string {
    const end = widthOf(this.#rows.at(-1) ?? '')
    const back = end - (this.#cursor ?? end)
    return back > 0 ? `\u001B[${back}D` : ''
  }

  /** When the terminal became narrower, it has wrapped the rows that were there. */
  #toFirstRow(): string {
    const { columns } = this.#size
    const taken = this.#rows.map((row) =>
      columns < this.#columns ? Math.max(1, Math.ceil(widthOf(row) / columns)) : 1,
    )
    const up = taken.reduce((sum, each) => sum + each, -1)
    return up > 0 ? `\r\u001B[${up}A` : '\r'
  }

  get #size(): { columns: number; rows: number } {
    return { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 }
  }
}

const END_OF_LINE = '\u001B[K'
const BELOW = '\u001B[J'
