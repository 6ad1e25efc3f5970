import { createReadStream } from 'node:fs'
import { LineSplitter } from '../child/line-splitter.ts'
import { isErrno } from '../errno.ts'
import { AppError } from '../errors.ts'
import type { SessionEvent } from '../events/session-event.ts'
import { TurnsOfTranscript } from './transcript-turns.ts'

/** An image in a prompt or the output of a tool may be some megabytes; longer lines are told as `line.unparsed`. */
const LONGEST_LINE = 32 * 1024 * 1024

/** A whole transcript as events, as long as it is now. No more than a line of it is held at a time. */
export async function* readTranscript(path: string, signal?: AbortSignal): AsyncGenerator<SessionEvent> {
  const splitter = new LineSplitter({ maxLineBytes: LONGEST_LINE })
  const turns = new TurnsOfTranscript()
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { signal, highWaterMark: 256 * 1024 })
  try {
    for await (const chunk of chunks) {
      for (const line of splitter.push(chunk)) yield* turns.push(line)
    }
  } catch (cause) {
    if (isErrno(cause, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'))
      throw new AppError('not_found', `The transcript ${JSON.stringify(path)} cannot be read.`, { cause })
    throw cause
  }
  // Without a newline it is half written, or whole: a file may end so. Half a line says nothing.
  const rest = splitter.end()
  if (rest) yield* turns.push(rest).filter(({ type }) => type !== 'line.unparsed')
  yield* turns.end()
}
