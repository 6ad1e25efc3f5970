import { configFrom, type Env } from '../config.ts'
import { createLog } from '../log.ts'
import { failQuietly } from './fail-quietly.ts'
import { requireOutside } from './inside-session.ts'
import { openHub, type Ready } from './open-hub.ts'
import { stopSignal } from './stop-signal.ts'

/** Runs the hub until it is told to stop, or nobody has needed it for long enough. */
export async function serve(env: Env, flags: Readonly<Record<string, unknown>>): Promise<void> {
  requireOutside(env)
  const stopped = stopSignal()
  const config = configFrom(env, flags)
  const log = createLog(config.logLevel)
  failQuietly(log)
  const hub = await openHub(config, log)
  try {
    announce(flags['json'] === true, hub.ready)
    log.debug('The hub ends.', { reason: await Promise.race([stopped, hub.idle()]) })
  } finally {
    await hub.close()
  }
}

/** stdout is for programs; a person reads stderr. */
function announce(json: boolean, ready: Ready): void {
  if (json) process.stdout.write(`${JSON.stringify(ready)}\n`)
  else process.stderr.write(`plexus: the hub is at ${ready.url}, its token is in ${ready.tokenFile}\n`)
}
