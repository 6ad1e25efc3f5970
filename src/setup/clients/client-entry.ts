import { isDeepStrictEqual } from 'node:util'
import { valueAt, withMember, withoutEmpty, withoutMember } from '../files/jsonc-edit.ts'
import { tableAt, withoutTable, withTable } from '../files/toml-table.ts'
import type { Client, Words } from './client-table.ts'

type Entry = Readonly<Record<string, unknown>>

/** What our server is called everywhere. */
const NAME = 'plexus'

/** Our entry in the settings of a client; undefined if there is none. */
export function entryIn(client: Client, text: string): unknown {
  return client.format === 'toml'
    ? tableAt(text, [client.servers, NAME])
    : valueAt(text, [client.servers, NAME])
}

export function withEntry(client: Client, text: string, entry: Entry): string {
  return client.format === 'toml'
    ? withTable(text, [client.servers, NAME], entry)
    : withMember(text, [client.servers, NAME], entry)
}

/** The settings without our entry. A table of servers that has nothing else stays, unless it is said to be ours too. */
export function withoutEntry(client: Client, text: string, { ownsServers = false } = {}): string {
  if (client.format === 'toml') return withoutTable(text, [client.servers, NAME])
  const rest = withoutMember(text, [client.servers, NAME])
  return ownsServers ? withoutEmpty(rest, [client.servers]) : rest
}

/** Whether there is a place for entries, even if none is in it. */
export function hasServers(client: Client, text: string): boolean {
  return client.format === 'toml' || valueAt(text, [client.servers]) !== undefined
}

/** The entry alone, as a file that has nothing else. */
export function onlyEntry(client: Client, entry: Entry): string {
  return withEntry(client, '', entry)
}

/** The words of the command in an entry, in whichever form its client has them. */
export function wordsOf(entry: unknown): readonly unknown[] {
  if (!isEntry(entry)) return []
  const { command, args } = entry
  return [command, args].flat().filter((word) => word !== undefined)
}

/** Whether an entry starts exactly this. */
export function startsExactly(entry: unknown, words: Words): boolean {
  return isDeepStrictEqual(wordsOf(entry), words)
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
