import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile, replacePrivateFile } from '../system/private-file.ts'

/** Where the hub of a home folder is. There while it answers; after a crash it is that of the one before. */
export const HubRecord = z.object({
  url: z.string(),
  socket: z.string(),
  pid: z.number(),
  version: z.string(),
  /** It is a part of somebody's `plexus mcp` and ends with it: it is used, but nobody else ends it. */
  standalone: z.boolean().optional(),
  /** What it runs with, by the variables that set it: a client may have others, which have no effect. */
  set: z.record(z.string(), z.string()).optional(),
  /** Its children end with it. */
  endChildren: z.boolean().optional(),
})
export type HubRecord = z.infer<typeof HubRecord>

export async function writeHubRecord(home: string, record: HubRecord): Promise<void> {
  await replacePrivateFile(recordPath(home), `${JSON.stringify(record)}\n`)
}

/** Undefined when there is none, or none that one should go by. */
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
