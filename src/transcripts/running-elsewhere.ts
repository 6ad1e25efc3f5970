import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { type ProcessRow, readProcessRows } from '../system/process-table.ts'
import { definedFields } from '../base/defined-fields.ts'

/** A process of the CLI that has a session open, as it says itself. */
export interface RunningSession {
  sessionId: string
  pid: number
  workingDirectory?: string
  startedAt?: number
  version?: string
  /** Such as `cli` for a terminal and `sdk-cli` for `-p`. */
  entrypoint?: string
  name?: string
}

const maybeText = z.string().optional().catch(undefined)
const Record = z.object({
  pid: z.int().positive(),
  sessionId: z.string(),
  procStart: maybeText,
  cwd: maybeText,
  startedAt: z.number().optional().catch(undefined),
  version: maybeText,
  entrypoint: maybeText,
  name: maybeText,
})
type Record = z.infer<typeof Record>

/**
 * Who has which session open, from the files that each CLI keeps in `sessions/` while it lives. A CLI that was
 * killed leaves its file behind, and its pid may belong to another process by now. The CLI takes no lock: when
 * two have the same session open, the one that began later is told.
 */
export async function runningSessions(configFolder: string): Promise<Map<string, RunningSession>> {
  const records = await readRecords(join(configFolder, 'sessions'))
  const rows = records.length === 0 ? [] : await readProcessRows(records.map(({ pid }) => pid))
  const alive = new Map(rows.map((row) => [row.pid, row]))
  const running = records
    .filter((record) => isSameProcess(record, alive.get(record.pid)))
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
  return new Map(running.map((record) => [record.sessionId, sessionOf(record)]))
}

/** Only on Linux the start time in the file is the one that the system tells us; elsewhere the pid has to do. */
function isSameProcess({ procStart }: Record, row: ProcessRow | undefined): boolean {
  if (!row) return false
  return procStart === undefined || process.platform !== 'linux' || procStart === row.startedAt
}

function sessionOf(record: Record): RunningSession {
  const { sessionId, pid, cwd: workingDirectory, startedAt, version, entrypoint, name } = record
  return { sessionId, pid, ...definedFields({ workingDirectory, startedAt, version, entrypoint, name }) }
}

/** Keys lie beside the records in newer versions: only `*.json` is read, and only plain files. */
async function readRecords(folder: string): Promise<Record[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const records = await Promise.all(files.map(({ name }) => readRecord(join(folder, name))))
  return records.flatMap((record) => record ?? [])
}

/** The CLI writes in place, so a file may be half there for a moment; a session must not look free for that. */
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
