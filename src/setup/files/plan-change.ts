import { readSettings } from '../../system/files/settings-file.ts'
import { asReadableError, backupPath, type FileChange, readBackup } from './file-change.ts'

/**
 * The text before a change of ours. What had to make room for itself cannot be removed to the byte, so where nothing else was
 * changed since, it is the copy that was kept. A file that has nothing but ours, and had no copy, was made by us.
 */
export function undone(
  text: string,
  base: string | undefined,
  { add, remove }: { add: (rest: string) => string; remove: () => string },
): string | undefined {
  if (add(base ?? '') === text) return base
  return remove()
}

interface Edited {
  readonly after: string | undefined
  /** Whether the text has nothing of ours yet; omitted by a removal. */
  readonly isFirst?: boolean
}
type Edit = (text: string | undefined, backup: string | undefined) => Edited | undefined

/** The change of a file by an edit; none if it changes nothing. `copy` is where the text before our first change is kept. */
export function planFor(path: string, edit: Edit, copy = backupPath(path)): FileChange[] {
  const before = readSettings(path)
  try {
    const edited = editWithCopy(edit, before, readBackup(copy))
    if (!edited) return []
    const { after, isFirst } = edited
    const backup = isFirst === undefined ? 'removed' : isFirst ? 'made' : undefined
    return [{ path, before, after, copy, ...(backup === undefined ? {} : { backup }) }]
  } catch (error) {
    throw asReadableError(path, error)
  }
}

/** A copy that cannot be read is none. */
function editWithCopy(edit: Edit, text: string | undefined, backup: string | undefined): Edited | undefined {
  try {
    return edit(text, backup)
  } catch (error) {
    if (backup === undefined || !(error instanceof SyntaxError)) throw error
    return edit(text, undefined)
  }
}
