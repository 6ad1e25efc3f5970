import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../base/errors.ts'
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

/**
 * The settings without our entry. Those of before, if nothing was changed since it was added to them: an entry that had to
 * make room for itself cannot be removed to the byte otherwise.
 */
export function withoutEntry(client: Client, text: string, before: string | undefined): string {
  const entry = entryIn(client, text)
  if (!isEntry(entry)) return text
  if (before !== undefined && entryIn(client, before) === undefined)
    if (withEntry(client, before, entry) === text) return before
  if (client.format === 'toml') return withoutTable(text, [client.servers, NAME])
  const rest = withoutMember(text, [client.servers, NAME])
  const hadServers = before === undefined || valueAt(before, [client.servers]) !== undefined
  return hadServers ? rest : withoutEmpty(rest, [client.servers])
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

/** A reason of ours, as the sentence that a person reads. Nothing has been changed by then. */
export function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error
  return new AppError(
    'invalid_input',
    `${path} cannot be changed (${error.message}); correct that first, nothing was written.`,
    { cause: error },
  )
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
