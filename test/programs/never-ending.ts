/** Is asked to stop, and has something that never ends. */
import { createLog } from '../../src/base/log.ts'
import { stopSignal } from '../../src/commands/shutdown-signal.ts'

const log = createLog('info')
const stopped = stopSignal({ limitMs: 50, onLate: () => log.error('It did not end in time.') })
setInterval(() => {}, 1_000)
process.stdout.write('ready\n')
log.info('It stops.', { reason: await stopped })
