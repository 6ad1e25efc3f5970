import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** A live process as the system tells it; zombies have no row. */
export interface ProcessRow {
  pid: number
  startedAt: string
  parent: number
  /** Leaders of its process group and, where the system tells, of its session. They may be gone already. */
  leaders: number[]
}

/** Every live process. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return rowsFromPs(await ps(['-axo', PS_COLUMNS]))
  return listPids().flatMap((pid) => rowFromStat(readProc(pid, 'stat')) ?? [])
}

/** Those of these processes that are alive. */
export async function readProcessRows(pids: number[]): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return rowsFromPs(await ps(['-o', PS_COLUMNS, '-p', pids.join(',')]))
  return pids.flatMap((pid) => rowFromStat(readProc(pid, 'stat')) ?? [])
}

/** The processes in /proc; Linux only. */
export function listPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/**
 * A file of /proc/PID; empty when the process is gone or belongs to someone else. Read synchronously: it is
 * memory of the kernel, some 8 microseconds each, a tenth of what a promise per file costs.
 */
export function readProc(pid: number, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The name in the second field may hold spaces and parentheses: the fields begin behind the last one. */
export function rowFromStat(stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const [threads, startedAt] = [fields[17], fields[19]]
  if (state === undefined || startedAt === undefined) return undefined
  // A main thread that ended before the others looks like a zombie, but its process goes on.
  if ('ZXx'.includes(state) && Number(threads) <= 1) return undefined
  return {
    pid: Number.parseInt(stat, 10),
    startedAt,
    parent: Number(parent),
    leaders: [Number(group), Number(session)],
  }
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart='

export function rowsFromPs(output: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
    if (state === undefined || state.startsWith('Z') || started.length === 0) return []
    return [
      { pid: Number(pid), startedAt: started.join(' '), parent: Number(parent), leaders: [Number(group)] },
    ]
  })
}

/** The start time is printed in local words: without a fixed language and zone it would not be comparable. */
async function ps(args: string[]): Promise<string> {
  const options = { env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' }, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)('ps', args, options).catch(emptyWhenNotFound)).stdout
}

/** No process of that pid is exit code 1; anything else (no ps, no memory) is not an answer. */
function emptyWhenNotFound(error: unknown): { stdout: string } {
  if (error instanceof Error && 'code' in error && error.code === 1) return { stdout: '' }
  throw error
}
