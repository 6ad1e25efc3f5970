import { readProcessRows } from './process-table.ts'

/**
 * Identifies a process even if its pid is reused later. The start time is compared as text: field 22 of /proc/PID/stat on
 * Linux, `ps -o lstart=` elsewhere.
 */
export interface ProcessIdentity {
  pid: number
  startedAt: string
}

/** Undefined if there is no such process, or only its zombie. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const [row] = await readProcessRows([pid])
  return row && { pid: row.pid, startedAt: row.startedAt }
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.startedAt === identity.startedAt
}
