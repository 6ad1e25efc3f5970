import type { Socket } from 'node:net'

/** Starts a request, and calls `over` when its response is sent or can no longer be sent. */
type Begin = (over: () => void) => void

interface ConnectionQueue {
  readonly waiting: Begin[]
  /** How many are started and have no response yet. */
  open: number
}

/**
 * The requests of each connection, in order. A client may send more requests before it has read the first response. Only a
 * few are started at once and the others wait, so that a client which does not read cannot make us hold many responses.
 */
export class Pipelines {
  readonly #queues = new WeakMap<Socket, ConnectionQueue>()

  take(socket: Socket, begin: Begin): void {
    const queue = this.#queues.get(socket) ?? { waiting: [], open: 0 }
    this.#queues.set(socket, queue)
    queue.waiting.push(begin)
    if (queue.waiting.length > MAX_WAITING) socket.destroy()
    else next(queue)
  }
}

function next(queue: ConnectionQueue): void {
  while (queue.open < MAX_OPEN) {
    const begin = queue.waiting.shift()
    if (!begin) return
    queue.open++
    begin(() => {
      queue.open--
      next(queue)
    })
  }
}

const MAX_OPEN = 4
const MAX_WAITING = 1_000
