import { visibleText } from '../../text/visible-text.ts'
import { echoed } from '../terminal/echoed-line.ts'
import { EMPTY_LINE, isEmptyLine, type TypedLine } from '../terminal/typed-line.ts'
import type { Footer } from './footer-lines.ts'
import type { TerminalLook } from '../terminal/terminal-look.ts'
import type { FollowScreen, ScreenStream } from './follow-screen.ts'

/** Lines only: for screen readers, and for terminals that can do nothing else. What can be done is a list with numbers. */
export class PlainScreen implements FollowScreen {
  readonly #stream: ScreenStream
  readonly #encode: TerminalLook['encode']
  /** The prompt at the end of the screen, and what was typed after it. */
  #shown: string | undefined
  #draft: TypedLine = EMPTY_LINE
  /** The last prompt with nothing to do in it: it is said once. */
  #statement = ''

  constructor(stream: ScreenStream, { encode }: Pick<TerminalLook, 'encode'>) {
    this.#stream = stream
    this.#encode = encode
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return
    this.#endLine()
    this.#stream.write(lines.map((line) => `${this.#encode(line)}\r\n`).join(''))
  }

  printExact(lines: readonly string[]): void {
    this.print(lines)
  }

  paint(footer: Footer): void {
    const draft = this.#shownLine(footer.draft)
    if (!footer.needsPerson && isEmptyLine(draft) && isEmptyLine(this.#draft)) return
    const prompt = this.#encode(promptText(footer))
    const isStatement = footer.choices.length === 0 && footer.label === undefined
    if (isStatement && prompt === this.#statement) return
    this.#statement = isStatement ? prompt : ''
    if (prompt === this.#shown) this.#stream.write(echoed(this.#draft, draft))
    else {
      this.#endLine()
      this.#stream.write(prompt + echoed(EMPTY_LINE, draft))
    }
    this.#shown = prompt
    this.#draft = draft
  }

  clear(): void {
    this.#endLine()
  }

  resized(): void {
    // Nothing depends on the size.
  }

  #shownLine({ before, after }: TypedLine): TypedLine {
    return { before: this.#encode(visibleText(before)), after: this.#encode(visibleText(after)) }
  }

  #endLine(): void {
    if (this.#shown !== undefined) this.#stream.write('\r\n')
    this.#shown = undefined
    this.#draft = EMPTY_LINE
  }
}

function promptText({ head, choices, label }: Footer): string {
  const lines = [...head, ...choices.map((choice, at) => `${at + 1}. ${visibleText(choice.label)}`)]
  const end = choices.length > 0 ? 'Number, then Enter: ' : (label ?? '')
  return lines.map((line) => `${line}\r\n`).join('') + end
}
