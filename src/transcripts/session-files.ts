import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { type ProcessRow, readProcessRows } from '../system/process-table.ts'

const maybeText = z.string().optional().catch(undefined)
const maybeNumber = z.number().optional().catch(undefined)

/** What a CLI writes of itself into its file in `sessions/`, of which only pid and session are certain. */
const SessionFile = z.object({
  pid: z.int().positive(),
  sessionId: z.string(),
  procStart: maybeText,
  startedAt: maybeNumber,
  cwd: maybeText,
  version: maybeText,
  kind: maybeText,
  entrypoint: maybeText,
  name: maybeText,
  status: maybeText,
  waitingFor: maybeText,
  statusUpdatedAt: maybeNumber,
})
export type SessionFile = z.infer<typeof SessionFile>

export function sessionFilesFolder(configFolder: string): string {
  return join(configFolder, 'sessions')
}

/** The files of those CLIs that live, the process that started last at the end. A CLI that was killed leaves its file. */
export async function livingSessionFiles(configFolder: string): Promise<SessionFile[]> {
  const files = await readSessionFiles(sessionFilesFolder(configFolder))
  const rows = files.length === 0 ? [] : await readProcessRows(files.map(({ pid }) => pid))
  const alive = new Map(rows.map((row) => [row.pid, row]))
  return files
    .filter((file) => isSameProcess(file, alive.get(file.pid)))
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
}

/** Undefined before the process has written its file, and after its end. */
export function sessionFileOf(configFolder: string, pid: number): Promise<SessionFile | undefined> {
  return readSessionFile(join(sessionFilesFolder(configFolder), `${pid}.json`))
}

/** Only on Linux the start time in the file equals that of the process table; elsewhere only the pid is compared. */
function isSameProcess({ procStart }: SessionFile, row: ProcessRow | undefined): boolean {
  if (!row) return false
  return procStart === undefined || process.platform !== 'linux' || procStart === row.startedAt
}

/** Newer versions keep keys beside the files: only regular files named `*.json` are read. */
async function readSessionFiles(folder: string): Promise<SessionFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  const files = await Promise.all(names.map(({ name }) => readSessionFile(join(folder, name))))
  return files.flatMap((file) => file ?? [])
}

/** The CLI writes in place, so a file may be incomplete for a moment; retrying avoids that the session looks free. */
async function readSessionFile(path: string): Promise<SessionFile | undefined> {
  for (let tries = 0; tries < 5; tries++) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    try {
      return SessionFile.safeParse(JSON.parse(text)).data
    } catch {
      await setTimeout(20)
    }
  }
  return undefined
}
