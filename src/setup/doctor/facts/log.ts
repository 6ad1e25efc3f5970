import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { LogFacts } from '../checks/log.ts'
import type { Place } from './place.ts'

const TAIL_BYTES = 256 * 1_024

export async function logFacts({ home }: Place): Promise<LogFacts> {
  const path = join(home, 'hub.log')
  return { path, text: tailOf(path), now: Date.now() }
}

function tailOf(path: string): string {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length)
    return buffer.toString('utf8', 0, read)
  } finally {
    closeSync(file)
  }
}
