/** Sends a new event id, by which the client can request the stream again. */
export type Mark = () => void

/**
 * A stream of events that begins with an event id, by which the client can request it again, and sends another id at each
 * mark. The event with the id has no data, and clients ignore it; clients before protocol 2025-11-25 do not.
 */
export function withEventIds(
  body: ReadableStream<Uint8Array>,
  eventId: () => string,
  { onMark, onEnd }: { readonly onMark: (mark: Mark) => void; readonly onEnd: () => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => {
      const mark = () => controller.enqueue(encoder.encode(`id: ${eventId()}\n${RETRY}data: \n\n`))
      mark()
      onMark(mark)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      onEnd()
      controller.close()
    },
    cancel: (reason) => {
      onEnd()
      return reader.cancel(reason)
    },
  })
}

/** A stream of events that says after how long to reconnect. */
export function withRetry(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`${RETRY}\n`)),
  })
  void body.pipeTo(writable).catch(() => {})
  return readable
}

/** Most clients try twice and then give up: a restarted hub must be ready by then. */
const RETRY = 'retry: 2000\n'
