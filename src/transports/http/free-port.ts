import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { isErrno } from '../../base/errno.ts'
import { AppError } from '../../base/errors.ts'

/** Resolves when the server listens. */
export async function listening(server: Server, listen: () => void, what: string): Promise<void> {
  try {
    listen()
    await once(server, 'listening')
  } catch (cause) {
    const taken = isErrno(cause, 'EADDRINUSE')
    throw new AppError(
      taken ? 'in_use' : 'forbidden',
      `${what} ${taken ? 'is taken by another program' : 'cannot be listened on'}; choose another with --port (0 is any free one).`,
      { cause },
    )
  }
}

/** Whether a port of 127.0.0.1 can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await listening(probe, () => probe.listen(port, '127.0.0.1'), `Port ${port}`)
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
