import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { identityOf, isAlive, type ProcessIdentity } from '../child/process-identity.ts'
import { isErrno } from '../errno.ts'
import { AppError } from '../errors.ts'
import { createPrivately } from './private-text.ts'

const Holder = z.object({ pid: z.number(), startedAt: z.string() })

export interface HubLock {
  release(): Promise<void>
}

/**
 * One hub per home folder. The locks are numbered, `hub.lock.7`, and the highest is the one that counts: it is held while
 * its process lives. Who finds it left behind makes the next number, which only one can, and looks again: if there is
 * a higher one by now, it came too late. The highest is never removed, not even by a hub that ends, so that nobody can
 * begin to count anew while another still goes by an old look.
 */
export async function takeHubLock(home: string): Promise<HubLock> {
  const me = await identityOf(process.pid)
  if (!me) throw new AppError('internal', 'This process cannot find itself in the process table.')
  for (;;) {
    const last = (await numbers(home)).at(-1) ?? 0
    const holder = last === 0 ? undefined : await holderOf(lockPath(home, last))
    if (holder === 'gone') continue
    if (holder && (await isAlive(holder))) throw new HubRunsError(home, holder)
    if (!(await won(home, last + 1, me))) continue
    const mine = last + 1
    for (const old of await numbers(home)) if (old < mine) await rm(lockPath(home, old), { force: true })
    return { release: () => replaceByEmpty(home, mine, me) }
  }
}

export class HubRunsError extends AppError {
  readonly holder: ProcessIdentity

  constructor(home: string, holder: ProcessIdentity, url?: string) {
    const where = url === undefined ? '' : `, ${url}`
    super(
      'in_use',
      `A hub runs in ${home} already (pid ${holder.pid}${where}); use that one, end it, or choose another folder with --home.`,
      { data: { pid: holder.pid, ...(url === undefined ? {} : { url }) } },
    )
    this.holder = holder
  }
}
