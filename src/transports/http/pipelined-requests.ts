import type { Socket } from 'node:net'

/** Begins a request; whoever does says when its answer is sent, or cannot be any more. */
type Begin = (over: () => void) => void

interface Line {
  readonly waiting: Begin[]
  /** How many are begun and not sent. */
  open: number
}

/**
 * The requests of each connection, in order. A client may send more before it has read the first answer; then a few are
 * begun at once, and the others wait, so that nobody has us hold more answers than a few by not reading them.
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>()

  take(socket: Socket, begin: Begin): void {
    const line = this.#lines.get(socket) ?? { waiting: [], open: 0 }
    this.#lines.set(socket, line)
    line.waiting.push(begin)
    if (line.waiting.length > MOST_WAITING) socket.destroy()
    else next(line)
  }
}

function next(line: Line): void {
  while (line.open < MOST_OPEN) {
    const begin = line.waiting.shift()
    if (!begin) return
    line.open++
    begin(() => {
      line.open--
      next(line)
    })
  }
}

const MOST_OPEN = 4
const MOST_WAITING = 1_000
