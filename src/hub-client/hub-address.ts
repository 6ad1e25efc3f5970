import { lstat, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OperationCall } from '../api/operation/operation-call.ts'
import { AppError } from '../base/errors.ts'
import type { OperationOptions } from './hub-connection.ts'
import type { HubAnswer } from './hub-responses.ts'

/** Where a hub is, and the token that says who we are. */
export interface HubAddress {
  readonly socket: string
  readonly token: string
  /** Makes a call of an operation where the hub is in this process. */
  readonly inProcess?: ((call: OperationCall, options: OperationOptions) => Promise<HubAnswer>) | undefined
}

/** A header: whoever sends it only waits for news, and is none of those that a hub is there for. */
export const ONLOOKER = 'x-plexus-onlooker'

/** The hub of a home folder, as it is now: another may have taken the place of the one before. */
export async function findHub(home: string, token?: string): Promise<HubAddress> {
  const { socket } = (await jsonIn(join(home, 'hub.json'))) ?? {}
  if (typeof socket !== 'string') throw new NoHub(home)
  return { socket, token: token ?? (await operatorToken(home)) }
}

/** Nobody was there to hear it: nothing was done. */
export class NoHub extends AppError {
  constructor(where: string, cause?: unknown) {
    super('busy', `No hub answers in ${where}; start one with "plexus serve" and try again.`, { cause })
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
    `${path} is not a socket of yours in a folder of yours alone, so nothing was sent there; look who made it.`,
  )
}

async function operatorToken(home: string): Promise<string> {
  try {
    return (await readFile(join(home, 'operator.token'), 'utf8')).trim()
  } catch (cause) {
    throw new AppError(
      'forbidden',
      `The operator's token in ${home} cannot be read; use the account that the hub runs in, or give a token.`,
      { cause },
    )
  }
}

async function jsonIn(path: string): Promise<{ readonly socket?: unknown } | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return typeof found === 'object' && found !== null ? found : undefined
  } catch {
    return undefined // absent, or of a hub that is just being replaced: in both cases there is none
  }
}
