import { fstatSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isErrno } from '../../base/errno.ts'
import { LineSplitter, type SplitLine } from '../../text/line-splitter.ts'

/** The result of one read: whole lines, and the offset after the last of them, to be stored in one transaction. */
export interface Batch {
  readonly lines: readonly SplitLine[]
  readonly offset: number
}

export interface OutputSource {
  /** The reader wants no more output. */
  isClosed(): boolean
  /** The run has ended, so nothing more is written. */
  hasEnded(): boolean
  /** Waits until there may be new output; false if only the time was up. */
  wait(): Promise<boolean>
}

/**
 * Everything in the file after `offset`, as it is written; returns when the run has ended and all is read, or when closed. The
 * CLI writes each line with one write, so half a line followed by a silence is all that a full disk stored of it. It is yielded
 * as it is: the child may wait for an answer to it, and then it would write nothing more.
 */
export async function* readOutput(
  path: string,
  offset: number,
  source: OutputSource,
): AsyncGenerator<Batch, void> {
  let splitter = new LineSplitter({ start: offset })
  const file = await open(path, 'r').catch(undefinedWhenGone)
  if (!file) return
  try {
    for (let position = offset, silence = 0, isFull = false; !source.isClosed();) {
      const ended = source.hasEnded() // checked before the read: then nothing is written after it
      const chunk: Buffer = isFull ? await readMuch(file, position) : readLittle(file, position)
      isFull = chunk.length >= LITTLE
      if (chunk.length > 0) {
        silence = 0
        position += chunk.length
        const lines = splitter.push(chunk)
        if (lines.length > 0) yield { lines, offset: splitter.completeBytes }
      } else if (ended || (silence >= SILENT_POLLS && splitter.completeBytes < position)) {
        const rest = splitter.end()
        if (rest) yield { lines: [{ ...rest, end: position }], offset: position }
        if (ended) return
        splitter = new LineSplitter({ start: position })
      } else {
        silence = (await source.wait()) ? 0 : silence + 1
      }
    }
  } finally {
    await file.close()
  }
}

function undefinedWhenGone(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
}

/** A little was written just now and is in memory: a thread would take longer than the read, and the child waits. */
function readLittle(file: FileHandle, position: number): Buffer {
  const bytes = readSync(file.fd, scratch, 0, LITTLE, position)
  return Buffer.from(scratch.subarray(0, bytes))
}

async function readMuch(file: FileHandle, position: number): Promise<Buffer> {
  const { size } = fstatSync(file.fd)
  const chunk = Buffer.allocUnsafe(Math.min(Math.max(0, size - position), MAX_CHUNK))
  return chunk.subarray(0, (await file.read(chunk, 0, chunk.length, position)).bytesRead)
}

/** This many polls without output are a silence: a slow disk may delay a long line for a moment. */
const SILENT_POLLS = 3
const MAX_CHUNK = 1 << 20
const LITTLE = 1 << 16
/** For all children: a read of a little is over before the next begins. */
const scratch = Buffer.allocUnsafeSlow(LITTLE)
