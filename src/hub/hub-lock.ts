import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { identityOf, isAlive, type ProcessIdentity } from '../system/process-identity.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import { readHubRecord } from './hub-record.ts'
import { createPrivateFile } from '../system/private-file.ts'

/** Takes a lock that the system holds until this process ends; false when another process has it. */
export type LockFile = (path: string) => Promise<boolean>

const Holder = z.object({ pid: z.number(), startedAt: z.string() })

/**
 * One hub per home folder. The locks are numbered, `hub.lock.7`, and the highest is the one that counts: it is held while
 * its process lives, and nothing but the end of that process gives it back. Who finds it left behind makes the next
 * number, which only one can, and looks again: if there is a higher one by now, it came too late. The highest is never
 * removed, so that nobody can begin to count anew while another still goes by an old look.
 *
 * By these files others find the process. But a process id says nothing in another container that shares the folder, so there
 * is a lock that the system holds as well, and whoever does not get it is no hub here.
 */
export async function takeHubLock(home: string, lockFile: LockFile): Promise<void> {
  const known = await hubHolder(home)
  if (known) throw await hubRunsError(home, known)
  if (!(await lockFile(join(home, 'lock.sqlite')))) throw await hubRunsError(home, undefined)
  const me = await identityOf(process.pid)
  if (!me) throw new AppError('internal', 'This process cannot find itself in the process table.')
  for (;;) {
    const last = (await lockNumbers(home)).at(-1) ?? 0
    const holder = last === 0 ? undefined : await holderOf(lockPath(home, last))
    if (holder === 'gone') continue
    if (holder && (await isAlive(holder))) throw await hubRunsError(home, holder)
    const mine = last + 1
    if (!(await tryCreateLock(lockPath(home, mine), me))) continue
    const all = await lockNumbers(home)
    if (all.at(-1) !== mine) continue
    for (const old of all) if (old < mine) await rm(lockPath(home, old), { force: true })
    return
  }
}

/** The process that holds the lock now, if one does. */
export async function hubHolder(home: string): Promise<ProcessIdentity | undefined> {
  const last = (await lockNumbers(home).catch(() => [])).at(-1)
  const holder = last === undefined ? undefined : await holderOf(lockPath(home, last))
  if (holder === 'gone') return hubHolder(home)
  return holder && (await isAlive(holder)) ? holder : undefined
}

async function lockNumbers(home: string): Promise<number[]> {
  const names = await readdir(home)
  return names
    .flatMap((name) => /^hub\.lock\.([1-9]\d{0,14})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

function lockPath(home: string, number: number): string {
  return join(home, `hub.lock.${number}`)
}

/** A lock appears whole, so one that makes no sense was damaged and is nobody's. */
async function holderOf(path: string): Promise<ProcessIdentity | 'gone' | undefined> {
  try {
    return Holder.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    return isErrno(error, 'ENOENT') ? 'gone' : undefined
  }
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

/** One that is not among the processes here is in another container, and its numbers mean something else here. */
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
