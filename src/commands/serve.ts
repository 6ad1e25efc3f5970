import { join } from 'node:path'
import { configFrom, type Env } from '../assembly/config.ts'
import { withLogLimit } from '../hub/log-file.ts'
import { createLog, toStderr } from '../base/log.ts'
import { exitOnFault } from '../assembly/exit-on-fault.ts'
import { requireOutside } from '../assembly/outside-session.ts'
import { openHub, type Ready } from '../assembly/open-hub.ts'
import { stopSignal } from './shutdown-signal.ts'

/** Runs the hub until a signal stops it, or until it has been idle for the configured time. */
export async function serve(env: Env, flags: Readonly<Record<string, unknown>>): Promise<void> {
  requireOutside(env)
  const config = configFrom(env, flags)
  const log = createLog(config.logLevel, withLogLimit(join(config.home, 'hub.log'), toStderr))
  const stopped = stopSignal({ onLate: () => log.error('The hub did not end in time; it ends now.') })
  exitOnFault(log)
  const hub = await openHub(config, log)
  try {
    announce(flags['json'] === true, hub.ready)
    log.info('The hub stops.', { reason: await Promise.race([stopped, hub.idle()]) })
  } finally {
    await hub.close()
  }
}

/** Printed once, on stdout, for a program or a person; the log goes to stderr. */
function announce(json: boolean, ready: Ready): void {
  const line = json
    ? JSON.stringify(ready)
    : `plexus: the hub is at ${ready.url}, its token is in ${ready.tokenFile}`
  process.stdout.write(`${line}\n`)
}
