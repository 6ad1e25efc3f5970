import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../base/errno.ts'
import { isClientName } from '../../callers/client-name.ts'
import { readOrCreateToken } from './operator-token.ts'

/** The token of a named client, kept in the home folder so that the client finds its sessions again; created at first use. */
export async function clientToken(home: string, name: string): Promise<string> {
  await mkdir(clientsFolder(home), { recursive: true, mode: 0o700 })
  return readOrCreateToken(clientTokenPath(home, name))
}

/** The clients that have a token file. */
export function clientNames(home: string): string[] {
  try {
    return readdirSync(clientsFolder(home))
      .flatMap((file) => (file.endsWith('.token') ? file.slice(0, -'.token'.length) : []))
      .filter((name) => isClientName(name))
      .toSorted()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

function clientsFolder(home: string): string {
  return join(home, 'clients')
}

export function clientTokenPath(home: string, name: string): string {
  return join(clientsFolder(home), `${name}.token`)
}
