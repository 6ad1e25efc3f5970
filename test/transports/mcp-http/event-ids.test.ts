import { expect, test } from 'vitest'
import { type Mark, withEventIds, withRetry } from '../../../src/transports/mcp-http/event-ids.ts'

/** A stream that the test writes, with ids 1, 2, 3 ... */
function aStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const marks: Mark[] = []
  let [ids, ends] = [0, 0]
  const body = withEventIds(readable, () => `${++ids}`, {
    onMark: (mark) => marks.push(mark),
    onEnd: () => void ends++,
  })
  const reader = body.getReader()
  const read = async () => {
    const { done, value } = await reader.read()
    return done ? 'the end' : new TextDecoder().decode(value)
  }
  const write = (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => {})
  return { read, reader, writer, write, mark: () => marks[0]?.(), ends: () => ends }
}

const idEvent = (id: number) => `id: ${id}\nretry: 2000\ndata: \n\n`

test('a stream begins with an id, and has another at each mark', async () => {
  const { read, writer, write, mark, ends } = aStream()
  expect(await read()).toBe(idEvent(1))
  write('data: a\n\n')
  expect(await read()).toBe('data: a\n\n')
  mark()
  expect(await read()).toBe(idEvent(2))
  expect(ends()).toBe(0)
  write('data: b\n\n')
  void writer.close()
  expect(await read()).toBe('data: b\n\n')
  expect(await read()).toBe('the end')
  expect(ends()).toBe(1)
})

test('a reader that leaves ends the call and the stream before it, with the same reason', async () => {
  const { reader, writer, ends } = aStream()
  await reader.read()
  const closed = writer.closed.catch((error: unknown) => error)
  await reader.cancel('gone')
  expect(ends()).toBeGreaterThan(0)
  expect(await closed).toBe('gone')
})

test('a stream for updates begins with the time after which to reconnect', async () => {
  const body = new Response('data: a\n\n').body
  if (!body) throw new Error('There is no body.')
  expect(await new Response(withRetry(body)).text()).toBe('retry: 2000\n\ndata: a\n\n')
})

test('a stream for updates that breaks ends for its reader, and is no error of ours', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (to) => to.error(new Error('broken')) })
  await expect(new Response(withRetry(broken)).text()).rejects.toThrow('broken')
})
