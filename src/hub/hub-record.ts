import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readPrivateFile, replacePrivateFile } from '../system/private-file.ts'

/** Where the hub of a home folder is. There while it answers; after a crash it is that of the one before. */
export interface HubRecord {
  readonly url: string
  readonly socket: string
  readonly pid: number
  readonly version: string
  /** It is a part of somebody's `plexus mcp` and ends with it: it is used, but nobody else ends it. */
  readonly standalone?: boolean | undefined
  /** What it runs with, by the variables that set it: a client may have others, which have no effect. */
  readonly set?: Readonly<Record<string, string>> | undefined
  /** Its children end with it. */
  readonly endChildren?: boolean | undefined
}

export async function writeHubRecord(home: string, record: HubRecord): Promise<void> {
  await replacePrivateFile(recordPath(home), `${JSON.stringify(record)}\n`)
}

/** Undefined when there is none, or none that one should go by. */
export async function readHubRecord(home: string): Promise<HubRecord | undefined> {
  try {
    const found: unknown = JSON.parse(await readPrivateFile(recordPath(home)))
    return isRecord(found) ? found : undefined
  } catch {
    return undefined
  }
}

export async function removeHubRecord(home: string): Promise<void> {
  await rm(recordPath(home), { force: true })
}

/** By hand: clients read this before anything large is loaded. */
function isRecord(found: unknown): found is HubRecord {
  if (typeof found !== 'object' || found === null) return false
  const { url, socket, version, pid, set = {} } = { ...found } as Readonly<Record<string, unknown>>
  const isSet = typeof set === 'object' && set !== null && Object.values(set).every(isText)
  return [url, socket, version].every(isText) && typeof pid === 'number' && isSet
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function recordPath(home: string): string {
  return join(home, 'hub.json')
}
