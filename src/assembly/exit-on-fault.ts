import type { Log } from '../base/log.ts'

/** A bug of ours is logged, without secrets, and ends the process; the next process continues from the stored state. */
export function exitOnFault(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('Plexus failed.', { error })
    process.exit(1)
  })
  // The process that started this one may have ended, and closed its end of the pipes.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
