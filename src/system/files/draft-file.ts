import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, fchownSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'

interface DraftOptions {
  /** Beyond what the process may give to every file. */
  readonly mode?: number
  /** Only root can give a file to another user, and only root needs to. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Also if the machine stops at once after it. */
  readonly lasts?: boolean
}

/** Writes a text into a new file beside `path`, which `publish` then gives its name: a reader sees all of it or nothing. */
export function withDraft(
  path: string,
  text: string,
  publish: (draft: string) => void,
  { mode, owner, lasts = false }: DraftOptions = {},
): void {
  const draft = `${path}.draft-${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    if (owner && owner.uid !== process.getuid?.()) fchownSync(file, owner.uid, owner.gid)
    if (mode !== undefined) fchmodSync(file, mode)
    if (lasts) fsyncSync(file)
    publish(draft)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
