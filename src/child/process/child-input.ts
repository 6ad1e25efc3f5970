import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import type { Bell } from './keeper-bell.ts'
import { type ChildMessage, lineOf } from '../lines/message-line.ts'
import { layLine } from './message-files.ts'
import type { RunFolder } from './run-folder.ts'

/**
 * The way into a child: two ways for whole lines, and one order. Half a line on its stdin kills the CLI, and a hub can die in
 * the middle of a write. So a line goes into the folder, from where the keeper feeds it; or, when it is short, by one write
 * into the pipe, which the system does whole or not at all, and which spares the child the wait for another process. That is
 * only done behind what the keeper has fed: until then the pipe is the keeper's.
 */
export class ChildInput {
  readonly #run: RunFolder
  readonly #bell: Bell | undefined
  /** The last that we gave to the keeper. What another hub gave it we do not know, so our first goes the same way. */
  #laid: string | undefined
  #closed = false

  constructor(run: RunFolder, bell: Bell | undefined) {
    this.#run = run
    this.#bell = bell
  }

  /** One after the other. False when nobody is there to hear it. */
  async put(message: ChildMessage): Promise<boolean> {
    const line = Buffer.from(lineOf(message))
    if (this.#isOurs() && writeAtOnce(this.#run.stdin, line)) return true
    const laid = await layLine(this.#run, line)
    if (laid === undefined) return false
    this.#laid = laid
    return this.#bell?.ring() ?? false
  }

  /** The keeper says its last words and closes the pipe; what comes later must not come behind them. */
  close(): void {
    this.#closed = true
    this.#bell?.ring('stop')
  }

  #isOurs(): boolean {
    return !this.#closed && this.#laid !== undefined && isTold(this.#laid)
  }
}

/** The keeper empties what it has told, and removes it at some time. */
function isTold(laid: string): boolean {
  return (statSync(laid, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** False when it cannot be done whole and at once, whatever the reason: the folder is the way for that, and tells what is wrong. */
function writeAtOnce(pipe: string, line: Buffer): boolean {
  if (line.length > PIPE_BUF) return false
  try {
    // Not held open: the end of the child's input is the keeper's to give.
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      return fstatSync(fd).isFIFO() && writeSync(fd, line) === line.length
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

/** Up to this many bytes POSIX promises a write that is not divided; the least that it may be is 512. */
const PIPE_BUF = process.platform === 'linux' ? 4_096 : 512
