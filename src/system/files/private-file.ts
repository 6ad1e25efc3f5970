import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { AppError } from '../../base/errors.ts'
import { withDraft } from './draft-file.ts'

// Files are read and written synchronously: they are small, and a start and every client wait for several of them one after the other.

/** Writes a file that appears whole or not at all, readable by its user only. An existing entry is replaced, a link too. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  withDraft(path, text, (draft) => renameSync(draft, path))
}

/** The same, but fails with EEXIST if any entry has the name already, even a dangling link. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  withDraft(path, text, (draft) => {
    linkSync(draft, path)
    unlinkSync(draft) // not rmSync, which looks at it first, and loads what removes whole folders
  })
}

/** Reads a file of our own user that nobody else could read; a link is not followed. */
export async function readPrivateFile(path: string): Promise<string> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { uid, mode } = fstatSync(file)
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new AppError(
        'forbidden',
        `${path} could be read or written by others; remove it, and a new one is made at the next start.`,
      )
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
