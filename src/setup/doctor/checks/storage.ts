import { fix, note, ok, type Outcome, size } from './finding.ts'

export interface StorageFacts {
  readonly path: string
  /** Undefined before the first hub has made it. */
  readonly database?: DatabaseFacts | undefined
  readonly freeBytes: number
  /** With less than this, no turn begins. */
  readonly minFreeBytes: number
}

interface DatabaseFacts {
  readonly bytes: number
  /** Why it cannot be used, and what to do. */
  readonly problem?: string | undefined
  /** False if it is so large that a check would take too long. */
  readonly checked: boolean
}

const PLENTY_BYTES = 1e9

export function judgeDatabase({ path, database }: StorageFacts): Outcome[] {
  if (database === undefined) return [ok('There is no database yet; the first hub makes it.')]
  if (database.problem !== undefined) return [fix(database.problem)]
  return [
    ok(
      `${path} ${database.checked ? 'is sound' : 'opens; it is too large for a quick check'} (${size(database.bytes)}).`,
    ),
  ]
}

export function judgeDisk({ freeBytes: free, minFreeBytes: min }: StorageFacts): Outcome[] {
  if (free < min)
    return [
      fix(
        `${size(free)} are free on the disk of the home folder. Below ${size(min)} no turn begins (storage_full): free some space.`,
      ),
    ]
  if (free < PLENTY_BYTES)
    return [note(`${size(free)} are free on the disk of the home folder; below ${size(min)} no turn begins.`)]
  return [ok(`${size(free)} are free on the disk of the home folder.`)]
}
