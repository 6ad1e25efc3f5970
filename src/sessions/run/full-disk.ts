/** How things stand with a child and the disk that it writes to. */
export interface Look {
  readonly full: boolean
  /** It does something that it would tell of: nobody else has to do anything first. */
  readonly atWork: boolean
  /** How much it has written in all. */
  readonly written: number
  /** How much of that was read, and is on record as far as it says something. */
  readonly read: number
}

/**
 * What a child says while the disk is full is lost, and where the disk takes no part of a line nothing in the output shows it.
 * So one that was at work then, and has not said a word since there is space again, may wait for an answer to a question
 * that nobody saw, or be done and have told nobody. One that goes on talking has lost words at most.
 */
export class FullDisk {
  #writtenThen: number | undefined

  /** Whether something may be lost. */
  get concerns(): boolean {
    return this.#writtenThen !== undefined
  }

  /** The turn is over, so nothing was lost that anybody waits for. */
  forget(): void {
    this.#writtenThen = undefined
  }

  /** True, once, when it must be taken that something was lost. */
  look({ full, atWork, written, read }: Look): boolean {
    if (full) {
      if (atWork) this.#writtenThen = written
      return false
    }
    const then = this.#writtenThen
    if (then === undefined) return false
    const goesOn = written > then
    if (!goesOn && read < written) return false // what it said before comes first
    this.#writtenThen = undefined
    return !goesOn
  }
}
