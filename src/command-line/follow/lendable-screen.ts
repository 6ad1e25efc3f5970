import type { FollowScreen } from './follow-screen.ts'
import type { Footer } from './footer-lines.ts'

/** A screen that another program, such as an editor, has for a while: what is printed meanwhile comes afterwards, and nothing is lost. */
export class LendableScreen implements FollowScreen {
  readonly #screen: FollowScreen
  /** What waits until the screen is ours again; undefined while it is. */
  #waiting: (() => void)[] | undefined

  constructor(screen: FollowScreen) {
    this.#screen = screen
  }

  /** Leaves only lines that stay. */
  lend(): void {
    this.#screen.clear()
    this.#waiting ??= []
  }

  take(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const print of waiting) print()
  }

  print(lines: readonly string[]): void {
    this.#once(() => this.#screen.print(lines))
  }

  printExact(lines: readonly string[]): void {
    this.#once(() => this.#screen.printExact(lines))
  }

  /** The footer is painted again by the caller that takes the screen. */
  paint(footer: Footer): void {
    if (!this.#waiting) this.#screen.paint(footer)
  }

  clear(): void {
    if (!this.#waiting) this.#screen.clear()
  }

  resized(): void {
    if (!this.#waiting) this.#screen.resized()
  }

  #once(print: () => void): void {
    if (this.#waiting) this.#waiting.push(print)
    else print()
  }
}
