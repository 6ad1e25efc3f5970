import { watch } from 'node:fs'
import { AppError } from '../../base/errors.ts'
import { hubHolder } from '../hub-lock.ts'
import { readHubRecord } from '../hub-record.ts'
import { readLastPort } from '../last-port.ts'
import { endHub } from './end-hub.ts'
import type { StartedHub } from './start-hub.ts'
import { isUsable } from './usable-hub.ts'

export interface AttachOptions {
  readonly home: string
  /** The port for the first hub of a home folder; if it is taken, any free port. */
  readonly port: number
  readonly isFree: (port: number) => Promise<boolean>
  readonly start: (port: number) => Promise<StartedHub>
}

const LIMIT_MS = 20_000
const POLL_MS = 250

/**
 * Resolves when a hub of this home folder answers that is not older than this program. The lock shows whether there is a hub:
 * its holder is waited for, also if another program has just started it; without a holder, a hub is started.
 */
export async function attachHub(options: AttachOptions): Promise<void> {
  const { home } = options
  const changes = watchFolder(home)
  try {
    let deadline = performance.now() + LIMIT_MS
    let started: StartedHub | undefined
    let ports = await portsFor(options)
    for (;;) {
      const holder = await hubHolder(home)
      const record = await readHubRecord(home)
      if (holder && record?.pid === holder.pid) {
        if (await isUsable(record)) return
        ports = [Number(new URL(record.url).port), 0]
        await endHub(holder)
        deadline = performance.now() + LIMIT_MS
        continue
      }
      if (!holder && (!started || started.hasEnded())) {
        const [port, ...left] = ports
        if (port === undefined) throw hubNotUpError(await started?.lastLogLine())
        started = await options.start(port)
        ports = left
      }
      if (performance.now() > deadline) throw hubNotUpError(await started?.lastLogLine())
      await changes.next()
    }
  } finally {
    changes.stop()
  }
}

/** The port of the last hub, for the children that know it, else the default. Either may be taken meanwhile: 0 is any port. */
async function portsFor({ home, port, isFree }: AttachOptions): Promise<number[]> {
  const wanted = (await readLastPort(home)) ?? port
  return (await isFree(wanted)) ? [wanted, 0] : [0]
}

/** `next` resolves when the folder changes, or after a short time, because a watch may miss changes. */
function watchFolder(folder: string): { next: () => Promise<void>; stop: () => void } {
  let ring: (() => void) | undefined
  const watcher = watch(folder, { persistent: false }, () => ring?.()).on('error', () => {})
  const next = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      ring = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return { next, stop: () => watcher.close() }
}

function hubNotUpError(lastLogLine = ''): AppError {
  const why = lastLogLine === '' ? 'it said nothing' : `it said: ${lastLogLine}`
  return new AppError('busy', `The hub did not come up; ${why}`)
}
