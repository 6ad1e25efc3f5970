/** Says anew by which id the stream can be asked for again, for as long as it lasts. */
export type Mark = () => void

/**
 * A stream of events that begins with an id by which it can be asked for again, and has another each time that it is marked.
 * An event without data is none to its reader: clients before 2025-11-25 do not know that.
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

/** A stream of events that says when to ask for it again. */
export function withRetry(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`${RETRY}\n`)),
  })
  void body.pipeTo(writable).catch(() => {})
  return readable
}

/** Most clients try it twice and then never again: a hub that is started anew has to be there by then. */
const RETRY = 'retry: 2000\n'
