import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile, replacePrivateFile } from '../system/private-file.ts'

/** How to reach the hub of a home folder. The file exists while the hub answers; after a crash it is that of the old hub. */
export const HubRecord = z.object({
  url: z.string(),
  socket: z.string(),
  pid: z.number(),
  version: z.string(),
  /** The hub is part of a `plexus mcp` process and ends with it: others use it, but must not end it. */
  standalone: z.boolean().optional(),
  /** The settings of the hub, by environment variable: other values in the environment of a client have no effect. */
  set: z.record(z.string(), z.string()).optional(),
  /** Whether its children end with it. */
  endChildren: z.boolean().optional(),
})
export type HubRecord = z.infer<typeof HubRecord>

export async function writeHubRecord(home: string, record: HubRecord): Promise<void> {
  await replacePrivateFile(recordPath(home), `${JSON.stringify(record)}\n`)
}

/** Undefined if there is no record, or others could have written it. */
export async function readHubRecord(home: string): Promise<HubRecord | undefined> {
  try {
    return HubRecord.safeParse(JSON.parse(await readPrivateFile(recordPath(home)))).data
  } catch {
    return undefined
  }
}

export async function removeHubRecord(home: string): Promise<void> {
  await rm(recordPath(home), { force: true })
}

function recordPath(home: string): string {
  return join(home, 'hub.json')
}
