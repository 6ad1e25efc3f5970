import { StringDecoder } from 'node:string_decoder'
import type { ReadStream } from 'node:tty'
import { type Key, keysIn } from './terminal-keys.ts'

export interface TerminalUse {
  readonly onKey: (key: Key) => void
  /** The terminal is given back: for an editor, to the shell (Ctrl-Z), or for good. Leaves nothing on the screen that is not text. */
  readonly onRelease: () => void
  /** It is ours again. */
  readonly onTake: () => void
  /** Nobody is at the terminal any more. */
  readonly onGone: () => void
}

/** A terminal whose keys are read one by one. However this process ends, the terminal is as it was; only SIGKILL prevents that. */
export class HeldTerminal {
  readonly #terminal: ReadStream
  readonly #use: TerminalUse
  /** A character may arrive in two parts. */
  readonly #decoder = new StringDecoder('utf8')
  #isHeld = false
  #isLent = false
  #isClosed = false

  constructor(terminal: ReadStream, use: TerminalUse) {
    this.#terminal = terminal
    this.#use = use
    terminal.on('data', this.#onData).on('end', use.onGone).on('error', use.onGone)
    process.on('exit', this.#onExit).on('SIGCONT', this.#onContinue)
    for (const signal of ENDING) process.on(signal, this.#onEnding)
    this.take()
  }

  take(): void {
    if (this.#isHeld || this.#isLent || this.#isClosed) return
    this.#isHeld = true
    this.#terminal.setRawMode(true)
    this.#terminal.resume()
    this.#use.onTake()
  }

  release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#use.onRelease()
    this.#terminal.pause()
    this.#restoreMode()
  }

  /** Another program, such as an editor, has the terminal while this runs. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.release()
    this.#isLent = true
    try {
      return await work()
    } finally {
      this.#isLent = false
      this.take()
    }
  }

  close(): void {
    this.#isClosed = true
    this.release()
    this.#terminal.off('data', this.#onData).off('end', this.#use.onGone).off('error', this.#use.onGone)
    process.off('exit', this.#onExit).off('SIGCONT', this.#onContinue)
    for (const signal of ENDING) process.off(signal, this.#onEnding)
  }

  readonly #onData = (data: Buffer) => {
    for (const key of keysIn(this.#decoder.write(data))) {
      if (!this.#isHeld) return
      if (key === 'ctrl-z') this.#suspend()
      else this.#use.onKey(key)
    }
  }

  readonly #onExit = () => this.release()

  readonly #onContinue = () => {
    // A shell may have changed the mode meanwhile.
    this.release()
    this.take()
  }

  readonly #onEnding = (signal: NodeJS.Signals) => {
    // The terminal sends Ctrl-C to both programs, and it is meant for the other.
    if (this.#isLent && signal === 'SIGINT') return
    this.close()
    process.kill(process.pid, signal)
  }

  /** As the terminal does it by itself where keys are not read one by one: all processes of the command stop. */
  #suspend(): void {
    this.release()
    process.kill(0, 'SIGTSTP')
    // Where no shell could continue it, the kernel does not stop it either, and no SIGCONT comes.
    setTimeout(() => this.take(), STOP_MS)
  }

  #restoreMode(): void {
    try {
      this.#terminal.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }
}

const ENDING = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const
const STOP_MS = 100
