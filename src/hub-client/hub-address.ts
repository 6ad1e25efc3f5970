import { lstatSync, type Stats } from 'node:fs'
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

/** Synchronous, because a thread would take longer than the two calls, and a command of a person waits for them. */
function statsOf(path: string): [folder: Stats, socket: Stats] {
  try {
    return [lstatSync(dirname(path)), lstatSync(path)]
  } catch (cause) {
    throw new NoHub(path, cause)
  }
}

/** A token goes nowhere but to a socket that is ours, in a folder that is ours alone: anything else may be a trap. */
export function requireOwnSocket(path: string): void {
  const [folder, socket] = statsOf(path)
  const ours = [folder, socket].every(({ uid }) => uid === process.getuid?.())
  if (ours && socket.isSocket() && folder.isDirectory() && (folder.mode & 0o022) === 0) return
  throw new AppError(
    'forbidden',
    `${path} is not a socket of yours in a folder of yours alone, so nothing was sent there; check which program made it.`,
  )
}
