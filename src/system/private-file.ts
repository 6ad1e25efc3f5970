import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { AppError } from '../base/errors.ts'

/** Writes a file that appears whole or not at all, readable by its user only. An existing entry is replaced, a link too. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  await withDraft(path, text, (draft) => rename(draft, path))
}

/** The same, but fails with EEXIST if any entry has the name already, even a dangling link. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await withDraft(path, text, async (draft) => {
    await link(draft, path)
    await rm(draft)
  })
}

async function withDraft(
  path: string,
  text: string,
  publish: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.draft-${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await publish(draft)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Reads a file of our own user that nobody else could read; a link is not followed. */
export async function readPrivateFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { uid, mode } = await file.stat()
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new AppError(
        'forbidden',
        `${path} could be read or written by others; remove it, and a new one is made at the next start.`,
      )
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
