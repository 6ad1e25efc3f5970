import { execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A terminal of tmux, driven by one client in its control mode. */
export interface TmuxScreen {
  /** Sends keys, such as `Enter`; with `-l` before them, a text as it is. */
  readonly press: (...keys: readonly string[]) => void
  /** Resolves when the screen shows this. */
  readonly shows: (text: RegExp) => Promise<void>
  readonly close: () => void
}

interface ScreenOptions {
  readonly socket: string
  readonly command: readonly string[]
  readonly cwd: string
}

const LIMIT_MS = 30_000

/**
 * A program that started a `tmux` for each look at the screen would take a whole processor, and what is measured would wait for
 * it. This client is told of each output, looks only then, and starts nothing.
 */
export function openScreen({ socket, command, cwd }: ScreenOptions): TmuxScreen {
  const tmux = ['-u', '-f', '/dev/null', '-S', socket]
  const size = ['-x', '120', '-y', '40']
  execFileSync('tmux', [...tmux, 'new-session', '-d', ...size, '-c', cwd, ...command])
  const client = spawn('tmux', [...tmux, '-C', 'attach'], { stdio: ['pipe', 'pipe', 'ignore'] })
  client.stdin.on('error', () => {})
  const replies = new ControlReplies(createInterface({ input: client.stdout }))
  const ask = (line: string) => {
    const reply = replies.next()
    client.stdin.write(`${line}\n`)
    return reply
  }
  void ask('set-option -g window-size manual')
  return {
    press: (...keys) => void ask(['send-keys', ...keys.map(quoted)].join(' ')),
    shows: async (text) => {
      for (const deadline = performance.now() + LIMIT_MS; ;) {
        const output = replies.nextOutput(deadline)
        const screen = await ask('capture-pane -p')
        if (text.test(screen)) return
        if (performance.now() > deadline)
          throw new Error(`The terminal does not show ${String(text)}:\n${screen}`)
        await output
      }
    },
    close: () => {
      execFileSync('tmux', [...tmux, 'kill-server'])
      client.kill()
    },
  }
}

/** What a control client is sent: a reply for each command, in their order, and a line for each output. */
class ControlReplies {
  readonly #waiting: ((reply: string) => void)[] = []
  readonly #listeners = new Set<() => void>()
  #reply: string[] | undefined
  #hasBegun = false

  constructor(lines: NodeJS.EventEmitter) {
    lines.on('line', (line: string) => this.#take(line))
  }

  next(): Promise<string> {
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  /** Resolves with the next output, or when the time is over. */
  nextOutput(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#listeners.delete(end)
        resolve()
      }
      const timer = setTimeout(end, deadline - performance.now())
      this.#listeners.add(end)
    })
  }

  #take(line: string): void {
    if (this.#reply) {
      if (!/^%(end|error) /.test(line)) return void this.#reply.push(line)
      const text = this.#reply.join('\n')
      this.#reply = undefined
      // The first reply is to the attach itself.
      if (this.#hasBegun) this.#waiting.shift()?.(text)
      this.#hasBegun = true
    } else if (line.startsWith('%begin ')) this.#reply = []
    else if (line.startsWith('%output ')) for (const listener of this.#listeners) listener()
  }
}

function quoted(key: string): string {
  return `'${key.replaceAll("'", `'\\''`)}'`
}
