import type { Readable, Writable } from 'node:stream'
import { MAX_MESSAGE_BYTES } from '../../base/limits.ts'
import { LineSplitter } from '../../text/line-splitter.ts'
import { isTooDeep, TOO_DEEP } from '../http/request-guards.ts'

/** JSON-RPC over two streams, one message a line. A line that is not JSON gets an error, and the next line is read. */
export class JsonLines {
  /** Resolves when the other end has closed a stream. */
  readonly closed: Promise<void>
  readonly #output: Writable

  constructor(input: Readable, output: Writable, take: (message: unknown) => void) {
    this.#output = output
    const splitter = new LineSplitter({ maxLineBytes: MAX_MESSAGE_BYTES, keepBytes: 0 })
    input.on('data', (chunk: Buffer) => {
      for (const { text, cut } of splitter.push(chunk)) this.#read(text, cut, take)
    })
    this.closed = new Promise((resolve) => {
      for (const event of ['end', 'close', 'error']) input.once(event, () => resolve())
      output.on('error', () => resolve())
    })
  }

  send(message: object): Promise<void> {
    return this.sendText(JSON.stringify(message))
  }

  /** A message that is JSON already, without a line break. Resolves when there is room for more. */
  sendText(json: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${json}\n`)) resolve()
      else this.#output.once('drain', resolve)
    })
  }

  #read(text: string, cut: boolean, take: (message: unknown) => void): void {
    if (isTooDeep(text)) return void this.send(failure(null, -32600, TOO_DEEP))
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      void this.send(
        cut
          ? failure(null, -32600, `A message may have ${MAX_MESSAGE_BYTES >> 20} MiB at most.`)
          : failure(null, -32700, 'This is not JSON.'),
      )
      return
    }
    take(message)
  }
}

export function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
