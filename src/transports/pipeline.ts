import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}

interface Line {
  readonly waiting: Waiting[]
  /** How many are begun and not sent. */
  open: number
}

/**
 * The requests of each connection, in order. A client may send more before it has read the first answer; then a few are
 * begun at once, and the others wait, so that nobody has us hold more answers than a few by not reading them.
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>()

  take(socket: Socket, request: Waiting): void {
    const line = this.#lines.get(socket) ?? { waiting: [], open: 0 }
    this.#lines.set(socket, line)
    line.waiting.push(request)
    if (line.waiting.length > MOST_WAITING) socket.destroy()
    else next(line)
  }
}

function next(line: Line): void {
  while (line.open < MOST_OPEN) {
    const request = line.waiting.shift()
    if (!request) return
    line.open++
    request.response.once('close', () => {
      line.open--
      next(line)
    })
    request.begin()
  }
}

const MOST_OPEN = 4
const MOST_WAITING = 1_000
