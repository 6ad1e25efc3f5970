import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { isErrno } from '../base/errno.ts'
import { type AskedCall, fileChange, type FileChange, type FileNow } from './file-change.ts'

/** What an edit or a write would do to the file as it is now. A session that asks runs on this machine. */
export async function readFileChange(question: AskedCall): Promise<FileChange | undefined> {
  const { toolName, input, cwd } = question
  const path = input['file_path']
  if ((toolName !== 'Edit' && toolName !== 'Write') || typeof path !== 'string') return undefined
  if (!isAbsolute(path) && cwd === undefined) return undefined
  const now = await readNow(resolve(cwd ?? '/', path))
  return now && fileChange(question, now)
}

/** The path is chosen by a model: nothing is read that is not a plain file of a size that a person could read. */
async function readNow(path: string): Promise<FileNow | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile() || found.size > MAX_BYTES) return undefined
      const text = await file.readFile('utf8')
      return text.includes('\0') ? undefined : { text, changedAt: found.mtimeMs }
    } finally {
      await file.close()
    }
  } catch (error) {
    return isErrno(error, 'ENOENT') ? 'missing' : undefined
  }
}

const MAX_BYTES = 1 << 20
