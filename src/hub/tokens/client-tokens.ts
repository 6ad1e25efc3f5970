import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readOrCreateToken } from './operator-token.ts'

/** The token of a named client, kept in the home folder so that the client finds its sessions again; created at first use. */
export async function clientToken(home: string, name: string): Promise<string> {
  await mkdir(clientsFolder(home), { recursive: true, mode: 0o700 })
  return readOrCreateToken(clientTokenPath(home, name))
}

export function clientsFolder(home: string): string {
  return join(home, 'clients')
}

export function clientTokenPath(home: string, name: string): string {
  return join(clientsFolder(home), `${name}.token`)
}
