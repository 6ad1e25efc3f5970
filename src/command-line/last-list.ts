import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { readPrivateFile, replacePrivateFile } from '../system/files/private-file.ts'
import { terminalIdentity } from '../system/terminal-identity.ts'

/** A line of a list that a terminal has seen. */
export type ListedItem =
  | {
      readonly kind: 'session'
      readonly id: string
      readonly label: string
      /** The ids of its open questions. */
      readonly open: readonly string[]
    }
  | {
      readonly kind: 'question'
      readonly id: string
      readonly label: string
      readonly sessionId: string
      readonly inputSha256: string
    }

const KEPT_MS = 24 * 3_600_000

/** Keeps the list that this terminal sees now, in place of the one before; without a terminal nothing is kept. */
export async function keepList(home: string, items: readonly ListedItem[]): Promise<void> {
  const file = await fileIn(home)
  if (file === undefined) return
  mkdirSync(folderIn(home), { recursive: true, mode: 0o700 })
  removeOld(folderIn(home))
  await replacePrivateFile(file, JSON.stringify(items))
}

/** `@1` is the first line of the last list. */
export async function listedItem(home: string, reference: string): Promise<ListedItem> {
  const file = await fileIn(home)
  if (file === undefined)
    throw new AppError(
      'invalid_input',
      `${reference} is a line of the last list of a terminal, and this is none; use a name or an id.`,
    )
  const items = await itemsIn(file)
  const item = items[Number(reference.slice(1)) - 1]
  if (item) return item
  throw new AppError(
    'not_found',
    items.length === 0
      ? 'This terminal has seen no list yet; plexus ls and plexus pending print one.'
      : `The last list of this terminal has ${items.length} lines, so there is no ${reference}.`,
  )
}

/** Only this program writes the file. One that cannot be read is no list. */
async function itemsIn(file: string): Promise<readonly ListedItem[]> {
  try {
    const items: readonly ListedItem[] = JSON.parse(await readPrivateFile(file))
    return items
  } catch {
    return []
  }
}

async function fileIn(home: string): Promise<string | undefined> {
  const terminal = await terminalIdentity()
  if (terminal === undefined) return undefined
  const name = createHash('sha256').update(terminal).digest('hex').slice(0, 16)
  return join(folderIn(home), `${name}.json`)
}

function folderIn(home: string): string {
  return join(home, 'lists')
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS)
      rmSync(path, { force: true })
  }
}
