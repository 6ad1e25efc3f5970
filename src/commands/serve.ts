import { join } from 'node:path'
import { type Config, configFrom } from '../assembly/config.ts'
import { exitOnFault } from '../assembly/exit-on-fault.ts'
import { openHub, type Ready } from '../assembly/open-hub.ts'
import { requireOutside } from '../assembly/outside-session.ts'
import { createLog, toStderr } from '../base/log.ts'
import type { CommandCall } from '../command-line/command.ts'
import { withLogLimit } from '../hub/log-file.ts'
import { stopSignal } from './shutdown-signal.ts'

/** Runs the hub until a signal stops it, or until it has been idle for the configured time. */
export async function run(call: CommandCall): Promise<void> {
  const { env, flags } = call
  requireOutside(env)
  const config = configFrom(env, flags.all)
  const isWatched = process.stdout.isTTY && process.stderr.isTTY && !flags.isSet('json')
  if (isWatched) return (await import('./serve-at-terminal.ts')).serveAtTerminal(config, call)
  await serve(config, flags.isSet('json'))
}

async function serve(config: Config, json: boolean): Promise<void> {
  const log = createLog(config.logLevel, withLogLimit(join(config.home, 'hub.log'), toStderr))
  const stopped = stopSignal({ onLate: () => log.error('The hub did not end in time; it ends now.') })
  exitOnFault(log)
  const hub = await openHub(config, log)
  try {
    announce(json, hub.ready)
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
