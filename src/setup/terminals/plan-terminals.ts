import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../base/errors.ts'
import type { FileChange } from '../files/file-change.ts'
import { valueAt } from '../files/jsonc-edit.ts'
import { planFor, undone } from '../files/plan-change.ts'
import { undoneInPlace } from '../files/undo-change.ts'
import { findHooks, type HookParts, withHook, withoutHooks, withoutMadeLists } from './hook-entry.ts'

/** Not the copy of `plexus install`: the same file may have allow rules of ours, which are added and removed on their own. */
export function terminalsBackup(file: string): string {
  return `${file}.plexus-terminals-backup`
}

/** The settings file that has to change so that terminals ask the hub; none if they do already. */
export function planOn(file: string, parts: HookParts): FileChange[] {
  return writable(
    planFor(
      file,
      (text = '', backup) => {
        requireNoOther(text, parts.relay, file)
        const isFirst = findHooks(text).length === 0 || backup === undefined
        const after = withHook(text, parts)
        return after === text ? undefined : { after, isFirst }
      },
      terminalsBackup(file),
    ),
  )
}

/**
 * Takes the entry out. Where nothing else was changed since it was added, the file gets its very bytes back; else exactly the
 * entry goes, with the lists that were made for it.
 */
export function planOff(file: string, relay: string): FileChange[] {
  return writable(
    planFor(
      file,
      (text = '', backup) => {
        const [found] = findHooks(text).filter((hook) => hook.relay === relay)
        if (!found) return undefined
        const base = backup === undefined ? undefined : withoutHooks(backup, relay)
        const add = (rest: string) => withHook(rest, found)
        const remove = () => removedFrom(text, relay, base, add)
        return { after: undone(text, base, { add, remove }) }
      },
      terminalsBackup(file),
    ),
  )
}

/** What it must mean is known by its parts; which bytes it had, by the copy. */
function removedFrom(
  text: string,
  relay: string,
  base: string | undefined,
  add: (rest: string) => string,
): string {
  const byParts = withoutMadeLists(withoutHooks(text, relay), base ?? '')
  const inPlace = base === undefined ? undefined : undoneInPlace(base, add(base), text)
  return inPlace !== undefined && meansTheSame(inPlace, byParts) ? inPlace : byParts
}

function meansTheSame(a: string, b: string): boolean {
  try {
    return isDeepStrictEqual(valueAt(a, []), valueAt(b, []))
  } catch {
    return false
  }
}

/** Two hubs would ask the same question twice, and the first answer would leave the other open. */
function requireNoOther(text: string, relay: string, file: string): void {
  const other = findHooks(text).find((hook) => hook.relay !== relay)
  if (!other) return
  throw new AppError(
    'in_use',
    `Terminals ask the hub of another home folder already: ${file} has an entry for ${other.relay}. Run plexus terminals off with --home for that folder first.`,
  )
}

/** A file can be replaced though it is read-only; its owner has not meant that. */
function writable(changes: FileChange[]): FileChange[] {
  for (const { path, before } of changes)
    if (before !== undefined && (statSync(path).mode & 0o222) === 0)
      throw new AppError(
        'forbidden',
        `${path} is read-only, so nothing was written; make it writable, or edit it yourself (plexus terminals on --print prints the entry).`,
      )
  return changes
}
