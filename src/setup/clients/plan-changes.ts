import { asReadableError, type FileChange, readBackup } from '../files/file-change.ts'
import { readSettings } from '../../system/files/settings-file.ts'
import { hasRules, rulesFile, withoutRules, withRules } from './allow-rules.ts'
import { entryIn, hasServers, isEntry, startsExactly, withEntry, withoutEntry } from './client-entry.ts'
import type { Client, Place, Words } from './client-table.ts'
import { fileOf } from './configured-clients.ts'

/** The file that has to change so that the client starts this; none if it does already. */
export function planInstall(client: Client, place: Place, words: Words): FileChange[] {
  return planFor(fileOf(client, place), (text = '', backup) => {
    const entry = entryIn(client, text)
    if (startsExactly(entry, words)) return undefined
    return {
      after: withEntry(client, text, client.entry(words)),
      isFirst: entry === undefined || backup === undefined,
    }
  })
}

export function planUninstall(client: Client, place: Place): FileChange[] {
  return planFor(fileOf(client, place), (text = '', backup) => {
    const entry = entryIn(client, text)
    if (entry === undefined) return undefined
    const base = backup === undefined ? undefined : withoutEntry(client, backup)
    const ownsServers = base !== undefined && !hasServers(client, base)
    return {
      after: undone(text, base, {
        add: (rest) => (isEntry(entry) ? withEntry(client, rest, entry) : rest),
        remove: () => withoutEntry(client, text, { ownsServers }),
      }),
    }
  })
}

/** The rules by which Claude Code lets the model use the tools that decide nothing. */
export function planRules(place: Place): FileChange[] {
  return planFor(rulesFile(place), (text = '', backup) => {
    const after = withRules(text)
    return after === text ? undefined : { after, isFirst: !hasRules(text) || backup === undefined }
  })
}

export function hasAllowRules(place: Place): boolean {
  try {
    return hasRules(readSettings(rulesFile(place)) ?? '')
  } catch {
    return false
  }
}

/** Rules that were there before ours stay. */
export function planRulesRemoval(place: Place): FileChange[] {
  return planFor(rulesFile(place), (text = '', backup) => {
    if (!hasRules(text)) return undefined
    const remove = () => withoutRules(text, backup)
    return { after: undone(text, backup, { add: withRules, remove }) }
  })
}

/**
 * The text before a change of ours. What had to make room for itself cannot be removed to the byte, so where nothing else was
 * changed since, it is the copy that was kept. A file that has nothing but ours, and had no copy, was made by us.
 */
function undone(
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

function planFor(path: string, edit: Edit): FileChange[] {
  const before = readSettings(path)
  try {
    const edited = editWithCopy(edit, before, readBackup(path))
    if (!edited) return []
    const { after, isFirst } = edited
    const backup = isFirst === undefined ? 'removed' : isFirst ? 'made' : undefined
    return [{ path, before, after, ...(backup === undefined ? {} : { backup }) }]
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
