import { existsSync } from 'node:fs'
import { readSettings } from '../../system/files/settings-file.ts'
import { entryIn, wordsOf } from './client-entry.ts'
import { type Client, CLIENTS, type Env, type Place } from './client-table.ts'
import { ownCommand, type Program, thisProgram } from './own-command.ts'

export interface ConfiguredClient {
  readonly client: string
  readonly title: string
  /** The file that its entry is in, or would be. */
  readonly file: string
  /** Whether the client has run on this machine. */
  readonly found: boolean
  /** `other`: an entry with our name starts another program than this. */
  readonly state: 'absent' | 'configured' | 'other' | 'unreadable'
  /** What the entry starts. */
  readonly command?: string
}

/** All clients that we can be added to, and whether this program is. Reads only. */
export async function configuredClients(
  env: Env,
  {
    platform = process.platform,
    program = thisProgram(),
  }: { platform?: NodeJS.Platform; program?: Program } = {},
): Promise<readonly ConfiguredClient[]> {
  return CLIENTS.map((client) => stateOf(client, { env, platform }, program))
}

function stateOf(client: Client, place: Place, program: Program): ConfiguredClient {
  const file = fileOf(client, place)
  const known = {
    client: client.name,
    title: client.title,
    file,
    found: [client.folder(place), file].some((path) => existsSync(path)),
  }
  try {
    const entry = entryIn(client, readSettings(file) ?? '')
    if (entry === undefined) return { ...known, state: 'absent' }
    const words = wordsOf(entry)
    const isOurs = ownCommand(program).every((word, index) => words[index] === word)
    return { ...known, state: isOurs ? 'configured' : 'other', command: words.map(String).join(' ') }
  } catch {
    return { ...known, state: 'unreadable' }
  }
}

/** The file with our entry, else the first that exists, else the one that the client itself would make. */
export function fileOf(client: Client, place: Place): string {
  const files = client.files(place)
  const existing = files.filter((file) => existsSync(file))
  return existing.find((file) => hasEntry(client, file)) ?? existing[0] ?? files.at(-1) ?? ''
}

function hasEntry(client: Client, file: string): boolean {
  try {
    return entryIn(client, readSettings(file) ?? '') !== undefined
  } catch {
    return false
  }
}
