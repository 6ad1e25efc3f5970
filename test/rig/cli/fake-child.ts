/** A child as far as the desk can see: it asks, and it is given answers. */
import type { ChildMessage } from '../../../src/child/lines/message-line.ts'

export interface Received {
  readonly requestId: string
  readonly answer: unknown
  /** The questions whose decisions were safe on disk when this came. */
  readonly safe: ReadonlySet<string>
}

export class FakeChild {
  /** All that it was given, repeats too. */
  readonly received: Received[] = []

  take(message: ChildMessage, safe: Iterable<string>): void {
    const { response } = message as { response?: { request_id: string; response: unknown } }
    if (response)
      this.received.push({
        requestId: response.request_id,
        answer: structuredClone(response.response),
        safe: new Set(safe),
      })
  }

  /** What took effect: of an answer that comes again the CLI takes the first. */
  effectOf(requestId: string): unknown {
    return this.received.find((one) => one.requestId === requestId)?.answer
  }
}
