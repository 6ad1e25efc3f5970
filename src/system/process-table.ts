import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { isErrno } from '../base/errno.ts'
import { withSpareDescriptors } from './spare-file-descriptors.ts'

/** A live process as the system reports it; zombies and kernel threads have no row. */
export interface ProcessRow {
  pid: number
  startedAt: string
  parent: number
  /** Leaders of its process group and, where the system reports it, of its session. They may have ended already. */
  leaders: number[]
}

/** Every live process. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return rowsFromPs(await ps(['-axo', PS_COLUMNS]))
  return listPids().flatMap((pid) => rowFromStat(readProc(pid, 'stat')) ?? [])
}

/** The rows of those given processes that are alive. */
export async function readProcessRows(pids: number[]): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return rowsFromPs(await ps(['-o', PS_COLUMNS, '-p', pids.join(',')]))
  return pids.flatMap((pid) => rowFromStat(readProc(pid, 'stat')) ?? [])
}

/** The processes in /proc; Linux only. */
function listPids(): number[] {
  const names = withSpareDescriptors(() => readdirSync('/proc'))
  return names.flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/**
 * The text of a file of /proc/PID; empty if the process has ended or belongs to another user. It is read synchronously and
 * into the same buffer each time: a read takes some microseconds, and hundreds of them follow each other.
 */
export function readProc(pid: number, file: 'stat' | 'environ' | 'cmdline'): string {
  try {
    return withSpareDescriptors(() => readWhole(`/proc/${pid}/${file}`))
  } catch (error) {
    // A process that cannot be read for want of a descriptor has not ended.
    if (isErrno(error, 'EMFILE', 'ENFILE')) throw error
    return ''
  }
}

function readWhole(path: string): string {
  const fd = openSync(path, 'r')
  try {
    return readAll(fd)
  } finally {
    closeSync(fd)
  }
}

/** Files in /proc report no size. */
function readAll(fd: number): string {
  for (let length = 0; ;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null)
    if (read === 0) return buffer.toString('latin1', 0, length)
    length += read
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(length)])
  }
}

let buffer = Buffer.allocUnsafe(64 * 1024)

/** The name in the second field may contain spaces and parentheses: the other fields follow the last parenthesis. */
export function rowFromStat(stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)
  const [state, parent, group, session] = fields
  const [flags, threads, startedAt] = [fields[6], fields[17], fields[19]]
  if (state === undefined || startedAt === undefined || Number(flags) & KERNEL_THREAD) return undefined
  // A main thread that ended before the others looks like a zombie, but its process is alive.
  if ('ZXx'.includes(state) && Number(threads) <= 1) return undefined
  return {
    pid: Number.parseInt(stat, 10),
    startedAt,
    parent: Number(parent),
    leaders: [Number(group), Number(session)],
  }
}

/** `PF_KTHREAD` in Linux's sched.h. */
const KERNEL_THREAD = 0x0020_0000

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

/** The start time depends on the locale: without a fixed language and time zone it would not be comparable. */
async function ps(args: string[]): Promise<string> {
  const { execFile } = await import('node:child_process') // not needed on Linux, where a hub starts sooner without it
  const options = { env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' }, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)('ps', args, options).catch(emptyWhenNotFound)).stdout
}

/** Exit code 1 means that no process has that pid; any other failure (no ps, no memory) is an error. */
function emptyWhenNotFound(error: unknown): { stdout: string } {
  if (error instanceof Error && 'code' in error && error.code === 1) return { stdout: '' }
  throw error
}
