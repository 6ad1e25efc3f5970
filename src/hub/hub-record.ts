import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readPrivateFile, replacePrivateFile } from '../system/files/private-file.ts'

/** How to reach the hub of a home folder. The file exists while the hub answers; after a crash it is that of the old hub. */
export interface HubRecord {
  readonly url: string
  readonly socket: string
  readonly pid: number
  readonly version: string
  /** The hub is part of a `plexus mcp` process and ends with it: others use it, but must not end it. */
  readonly standalone?: boolean | undefined
  /** The settings of the hub, by environment variable: other values in the environment of a client have no effect. */
  readonly set?: Readonly<Record<string, string>> | undefined
  /** Whether its children end with it. */
  readonly endChildren?: boolean | undefined
  /** A client has started it in the background, and it ends when nobody needs it. */
  readonly background?: boolean | undefined
}

export async function writeHubRecord(home: string, record: HubRecord): Promise<void> {
  await replacePrivateFile(recordPath(home), `${JSON.stringify(record)}\n`)
}

/** Undefined if there is no record, or others could have written it. */
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

/** Validated without zod: clients read this before anything large is loaded. */
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
