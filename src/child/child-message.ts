import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFolder } from './run-folder.ts'

/** One line for the child's stdin. */
export type ChildMessage = Readonly<Record<string, unknown>>

/** U+2028 and U+2029 are legal inside JSON strings but end a line for some readers. */
export function lineOf(message: ChildMessage): string {
  return `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

/**
 * Lays a whole message into the folder: by rename, because half a line on its stdin kills the CLI and a hub can
 * die in the middle of a write. The keeper has to be rung afterwards.
 */
export async function layMessage(run: RunFolder, message: ChildMessage): Promise<void> {
  const name = nextName()
  const draft = join(run.path, `draft-${name}`)
  await writeFile(draft, lineOf(message), { mode: 0o600, flag: 'wx' })
  await rename(draft, join(run.todo, name))
}

let count = 0

/**
 * Names sort in the order of their making and are never used twice in a run, across hubs too: the monotonic
 * clock is the machine's own since its start, which no run outlives, and no jump of the wall clock touches it.
 */
function nextName(): string {
  count += 1
  return `${process.hrtime.bigint().toString().padStart(20, '0')}-${String(count).padStart(9, '0')}`
}
