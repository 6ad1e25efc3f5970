import { type FileHandle, open } from 'node:fs/promises'
import { type Head, headOf, type Titles, titlesOf } from './transcript-facts.ts'

const END_BYTES = 16 * 1024
/** An image or a summary may precede the first prompt. */
const MAX_HEAD = 1024 * 1024
/** The CLI repeats the titles of a session so often that they are never further from the end. */
const MAX_TAIL = 64 * 1024

/** Reads the two ends of a transcript, which overlap if it is short. Throws only errors of the file system. */
export async function readEnds(path: string, size: number): Promise<{ head: Head; titles: Titles }> {
  const file = await open(path, 'r')
  try {
    const { head, titles: first } = await readHead(file, size)
    const { titles, workingDirectories } = await readTail(file, size, head)
    return { head: { ...head, workingDirectories }, titles: { ...first, ...titles } }
  } finally {
    await file.close()
  }
}

async function readHead(file: FileHandle, size: number): Promise<{ head: Head; titles: Titles }> {
  for (let length = END_BYTES; ; length *= 4) {
    const text = wholeLines(await read(file, 0, Math.min(length, size)), { start: true, end: length >= size })
    const head = headOf(text)
    if (head.prompt !== undefined || length >= size || length >= MAX_HEAD)
      return { head, titles: titlesOf(text) }
  }
}

/** Reads more until there is a title. If one line fills the head, the working directory is taken from the tail. */
async function readTail(file: FileHandle, size: number, head: Head) {
  for (let length = END_BYTES; ; length *= 4) {
    const start = Math.max(0, size - length)
    const text = wholeLines(await read(file, start, size - start), { start: start === 0, end: true })
    const titles = titlesOf(text)
    const named = Object.keys(titles).some((name) => name !== 'lastPrompt')
    if (!named && start > 0 && length < MAX_TAIL) continue
    const known = head.workingDirectories
    return { titles, workingDirectories: known.length > 0 ? known : headOf(text).workingDirectories }
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Without the partial lines at the cuts; bytes that are not UTF-8 become U+FFFD. */
function wholeLines(buffer: Buffer, whole: { start: boolean; end: boolean }): string {
  const start = whole.start ? 0 : buffer.indexOf(10) + 1
  const end = whole.end ? buffer.length : buffer.lastIndexOf(10) + 1
  return start > 0 || whole.start ? buffer.toString('utf8', start, Math.max(start, end)) : ''
}
