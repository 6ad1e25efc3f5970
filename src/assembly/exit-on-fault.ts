import type { Log } from '../base/log.ts'

/** A fault of ours goes into the log, without secrets, and ends the process: the next one goes on where this one was. */
export function exitOnFault(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('Plexus failed.', { error })
    process.exit(1)
  })
  // Whoever started it may have gone, and their end of the pipes with them.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
