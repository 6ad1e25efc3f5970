import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf, isAlive, type ProcessIdentity } from '../system/process-identity.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import { readHubRecord } from './hub-record.ts'
import { createPrivateFile } from '../system/files/private-file.ts'

/** Takes a lock that the system holds until this process ends; returns false if another process has it. */
export type LockFile = (path: string) => Promise<boolean>

/**
 * Ensures one hub per home folder. The lock files are numbered, `hub.lock.7`, and only the highest counts: it is held while
 * its process lives, and only the end of that process releases it. A process that finds it released creates the next number,
 * which only one process can, and lists the files again: if there is a higher number by now, it lost the race. The highest
 * file is never removed, so that nobody can start from 1 while another process still relies on an older listing.
 *
 * Other programs find the hub by these files. But a process id means nothing in another container that shares the folder, so
 * there is also a lock that the system holds, and a process without that lock is not the hub here.
 */
export async function takeHubLock(home: string, lockFile: LockFile): Promise<void> {
  const known = await lastingHolder(home)
  if (known) throw await hubRunsError(home, known)
  if (!(await lockFile(join(home, 'lock.sqlite')))) throw await hubRunsError(home, undefined)
  const me = await identityOf(process.pid)
  if (!me) throw new AppError('internal', 'This process cannot find itself in the process table.')
  for (;;) {
    const last = lockNumbers(home).at(-1) ?? 0
    const holder = last === 0 ? undefined : holderOf(lockPath(home, last))
    if (holder === 'gone') continue
    if (holder && (await isAlive(holder))) throw await hubRunsError(home, holder)
    const mine = last + 1
    if (!(await tryCreateLock(lockPath(home, mine), me))) continue
    const all = lockNumbers(home)
    if (all.at(-1) !== mine) continue
    for (const old of all) if (old < mine) rmSync(lockPath(home, old), { force: true })
    return
  }
}

/** A hub that was killed just now is still a process for a moment, and its successor may be quicker than that. */
async function lastingHolder(home: string): Promise<ProcessIdentity | undefined> {
  const first = await hubHolder(home)
  if (!first) return undefined // the usual start: not even the clock is loaded for it, which takes a millisecond
  const end = performance.now() + ENDING_MS
  for (;;) {
    await sleep(CHECK_MS)
    const holder = await hubHolder(home)
    if (!holder || performance.now() >= end) return holder
  }
}

const ENDING_MS = 300
const CHECK_MS = 10

/** The process that holds the lock now, if any. */
export async function hubHolder(home: string): Promise<ProcessIdentity | undefined> {
  const last = lockNumbersIfAny(home).at(-1)
  const holder = last === undefined ? undefined : holderOf(lockPath(home, last))
  if (holder === 'gone') return hubHolder(home)
  return holder && (await isAlive(holder)) ? holder : undefined
}

function lockNumbersIfAny(home: string): number[] {
  try {
    return lockNumbers(home)
  } catch {
    return []
  }
}

/** Synchronous, as all that a start reads: the steps follow each other, and nothing else runs then. */
function lockNumbers(home: string): number[] {
  return readdirSync(home)
    .flatMap((name) => /^hub\.lock\.([1-9]\d{0,14})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

function lockPath(home: string, number: number): string {
  return join(home, `hub.lock.${number}`)
}

/** A lock file appears whole, so a malformed file was damaged and has no holder. */
function holderOf(path: string): ProcessIdentity | 'gone' | undefined {
  try {
    return holderIn(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return isErrno(error, 'ENOENT') ? 'gone' : undefined
  }
}

/** By hand: this is read before anything large is loaded. */
function holderIn({ pid, startedAt }: Readonly<Record<string, unknown>>): ProcessIdentity | undefined {
  return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined
}

async function tryCreateLock(path: string, me: ProcessIdentity): Promise<boolean> {
  try {
    await createPrivateFile(path, JSON.stringify(me))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/** Without a holder among our processes the hub is in another container, where process ids mean something else. */
async function hubRunsError(home: string, holder: ProcessIdentity | undefined): Promise<AppError> {
  const record = await readHubRecord(home)
  const url = record && holder && record.pid === holder.pid ? record.url : undefined
  const which = holder
    ? `pid ${holder.pid}${url ? `, ${url}` : ''}`
    : 'in another container, or about to start or end'
  return new AppError(
    'in_use',
    `A hub runs in ${home} already (${which}); use it, end it, or choose another folder with --home.`,
    { data: { ...(holder ? { pid: holder.pid } : {}), ...(url ? { url } : {}) } },
  )
}
