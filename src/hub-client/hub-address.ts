import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OperationCall } from '../api/operation/operation-call.ts'
import { AppError } from '../base/errors.ts'
import type { OperationOptions } from './hub-connection.ts'
import type { HubAnswer } from './hub-responses.ts'

/** The socket of a hub, and the token that identifies the caller. */
export interface HubAddress {
  readonly socket: string
  readonly token: string
  /** Calls an operation without the socket, if the hub is in this process. */
  readonly inProcess?: ((call: OperationCall, options: OperationOptions) => Promise<HubAnswer>) | undefined
}

/** A header: this client only watches, so a hub does not keep running for it. */
export const ONLOOKER = 'x-plexus-onlooker'

/** No hub received the request, so nothing was done. */
export class NoHub extends AppError {
  constructor(where: string, cause?: unknown) {
    super('busy', `No hub answers in ${where}; start a hub with "plexus serve" and try again.`, { cause })
  }
}

/** A token goes nowhere but to a socket that is ours, in a folder that is ours alone: anything else may be a trap. */
export async function requireOwnSocket(path: string): Promise<void> {
  const found = await Promise.all([lstat(dirname(path)), lstat(path)]).catch((cause: unknown) => {
    throw new NoHub(path, cause)
  })
  const [folder, socket] = found
  const ours = found.every(({ uid }) => uid === process.getuid?.())
  if (ours && socket.isSocket() && folder.isDirectory() && (folder.mode & 0o022) === 0) return
  throw new AppError(
    'forbidden',
    `${path} is not a socket of yours in a folder of yours alone, so nothing was sent there; check which program made it.`,
  )
}
