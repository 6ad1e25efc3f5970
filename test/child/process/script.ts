import { type ChildProcessWithoutNullStreams, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** Runs an `sh` text whose processes print their pid each; all of them are killed when the test is over. */
export class Script {
  readonly child: ChildProcessWithoutNullStreams
  /** Everything that could still write to our pipes has ended. */
  readonly closed: Promise<unknown>
  readonly #lines: Interface
  readonly #printed: AsyncIterator<string>
  readonly #pids: number[] = []

  constructor(text: string, args: string[] = [], options: SpawnOptionsWithoutStdio = {}) {
    this.child = spawn('sh', ['-c', text, text, ...args], { detached: true, ...options, stdio: 'pipe' })
    this.closed = new Promise((resolve) => this.child.once('close', resolve))
    this.#lines = createInterface(this.child.stdout)
    this.#printed = this.#lines[Symbol.asyncIterator]()
    onTestFinished(() => {
      for (const pid of this.#pids) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          continue // the test ended it
        }
      }
      this.child.kill('SIGKILL')
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  async line(): Promise<string> {
    return String((await this.#printed.next()).value)
  }

  async pids(count: number): Promise<number[]> {
    const found: number[] = []
    while (found.length < count) found.push(Number(await this.line()))
    this.#pids.push(...found)
    return found
  }
}
