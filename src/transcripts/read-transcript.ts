import { createReadStream } from 'node:fs'
import { LineSplitter } from '../text/line-splitter.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import type { SessionEvent } from '../events/session-event.ts'
import { LinesInOrder } from './lines-in-order.ts'
import { type ReadLine, readLineOf } from './transcript-line.ts'
import { TurnsOfTranscript } from './transcript-turns.ts'

/** An image in a prompt or the output of a tool may be some megabytes; longer lines become `line.unparsed`. */
const MAX_LINE = 32 * 1024 * 1024

/**
 * Streams a whole transcript as events. In memory at a time: one line, the lines that are held back for their parent, and the
 * ids of all lines.
 */
export async function* readTranscript(path: string, signal?: AbortSignal): AsyncGenerator<SessionEvent> {
  const splitter = new LineSplitter({ maxLineBytes: MAX_LINE })
  const order = new LinesInOrder()
  const turns = new TurnsOfTranscript()
  const eventsOf = (read: ReadLine) => order.push(read).flatMap((line) => turns.push(line))
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { signal, highWaterMark: 256 * 1024 })
  try {
    for await (const chunk of chunks) {
      for (const line of splitter.push(chunk)) yield* eventsOf(readLineOf(line))
    }
  } catch (cause) {
    if (isErrno(cause, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'))
      throw new AppError('not_found', `The transcript ${JSON.stringify(path)} cannot be read.`, { cause })
    throw cause
  }
  // A last line without a newline may be complete or half written; it counts if it parses.
  const rest = splitter.end()
  const last = rest && readLineOf(rest)
  if (last?.line) yield* eventsOf(last)
  yield* order.end().flatMap((line) => turns.push(line))
  yield* turns.end()
}
