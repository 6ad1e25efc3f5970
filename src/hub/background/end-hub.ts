import { setTimeout as sleep } from 'node:timers/promises'
import { isErrno } from '../../base/errno.ts'
import { AppError } from '../../base/errors.ts'
import { isAlive, type ProcessIdentity } from '../../system/process-identity.ts'

/** A hub gives itself 8 seconds to end. */
const END_MS = 12_000

/** Ends a hub by SIGTERM. Its children stay: the next hub takes them over. */
export async function endHub(holder: ProcessIdentity): Promise<void> {
  try {
    process.kill(holder.pid, 'SIGTERM')
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error
  }
  for (const deadline = performance.now() + END_MS; await isAlive(holder); await sleep(50))
    if (performance.now() > deadline)
      throw new AppError(
        'busy',
        `The hub with pid ${holder.pid} must make room for another and does not end; end it and try again.`,
      )
}
