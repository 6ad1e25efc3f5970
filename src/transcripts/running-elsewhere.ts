import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { type ProcessRow, readProcessRows } from '../system/process-table.ts'

/** A process of the CLI that has a session open, according to its own file. */
export interface RunningSession {
  readonly sessionId: string
  readonly pid: number
}

const maybeText = z.string().optional().catch(undefined)
const Record = z.object({
  pid: z.int().positive(),
  sessionId: z.string(),
  procStart: maybeText,
  startedAt: z.number().optional().catch(undefined),
})
type Record = z.infer<typeof Record>

/**
 * The open sessions by id, from the files that each CLI keeps in `sessions/` while it runs. A CLI that was killed leaves its
 * file, and its pid may belong to another process by now. The CLI takes no lock: if two processes have the same session open,
 * the process that started later is returned.
 */
export async function runningSessions(configFolder: string): Promise<Map<string, RunningSession>> {
  const records = await readRecords(join(configFolder, 'sessions'))
  const rows = records.length === 0 ? [] : await readProcessRows(records.map(({ pid }) => pid))
  const alive = new Map(rows.map((row) => [row.pid, row]))
  const running = records
    .filter((record) => isSameProcess(record, alive.get(record.pid)))
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  return new Map(running.map(({ sessionId, pid }) => [sessionId, { sessionId, pid }]))
}

/** The session that a process of the CLI has open now; undefined before it has written its file, and after its end. */
export async function sessionOfProcess(configFolder: string, pid: number): Promise<string | undefined> {
  return (await readRecord(join(configFolder, 'sessions', `${pid}.json`)))?.sessionId
}

/** Only on Linux the start time in the file equals that of the process table; elsewhere only the pid is compared. */
function isSameProcess({ procStart }: Record, row: ProcessRow | undefined): boolean {
  if (!row) return false
  return procStart === undefined || process.platform !== 'linux' || procStart === row.startedAt
}

/** Newer versions keep keys beside the records: only regular files named `*.json` are read. */
async function readRecords(folder: string): Promise<Record[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const records = await Promise.all(files.map(({ name }) => readRecord(join(folder, name))))
  return records.flatMap((record) => record ?? [])
}

/** The CLI writes in place, so a file may be incomplete for a moment; retrying avoids that the session looks free. */
async function readRecord(path: string): Promise<Record | undefined> {
  for (let tries = 0; tries < 5; tries++) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    try {
      return Record.safeParse(JSON.parse(text)).data
    } catch {
      await setTimeout(20)
    }
  }
  return undefined
}
