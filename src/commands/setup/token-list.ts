import { statSync } from 'node:fs'
import { readConfigFile } from '../../assembly/config-file.ts'
import { callerIdOf } from '../../callers/caller.ts'
import type { CommandCall } from '../../command-line/command.ts'
import type { Column } from '../../command-line/views/columns.ts'
import { span } from '../../command-line/views/session-words.ts'
import { clientNames, clientTokenPath } from '../../hub/tokens/client-tokens.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import type { Session } from '../../sessions/record/session.ts'

export interface ClientToken {
  readonly name: string
  readonly file: string
  readonly scopes: readonly string[]
  readonly madeAt: string
  /** When a session of it last did something; null if none did, or no hub runs. */
  readonly lastSessionAt: string | null
}

/** More than a hub lists at once. */
const ALL = 1_000

/** The clients with a token of their own. */
export async function clientTokens(home: string, call: CommandCall): Promise<ClientToken[]> {
  const names = clientNames(home)
  if (names.length === 0) return []
  const scopes = new Map(Object.entries(readConfigFile(home).scopes))
  const sessions = await listedSessions(call)
  return names.map((name) => {
    const file = clientTokenPath(home, name)
    const [last] = sessions
      .filter(({ owner }) => owner === callerIdOf('client', name))
      .map(({ updatedAt }) => updatedAt)
      .toSorted((a, b) => b - a)
    return {
      name,
      file,
      scopes: scopes.get(name) ?? [],
      madeAt: statSync(file).mtime.toISOString(),
      lastSessionAt: last === undefined ? null : new Date(last).toISOString(),
    }
  })
}

export function tokenColumns(clients: readonly ClientToken[], now: number): Column[] {
  const column = (title: string, cellOf: (client: ClientToken) => string): Column => ({
    title,
    cells: clients.map(cellOf),
  })
  const ago = (time: string | null) => (time === null ? '-' : `${span(now - Date.parse(time))} ago`)
  return [
    column('NAME', ({ name }) => name),
    column('SCOPES', ({ scopes }) => scopes.join(', ') || '-'),
    column('MADE', ({ madeAt }) => ago(madeAt)),
    column('LAST SESSION', ({ lastSessionAt }) => ago(lastSessionAt)),
  ]
}

/** Without a hub it is not known. */
async function listedSessions({ hub }: CommandCall): Promise<readonly Session[]> {
  try {
    const { engine, context } = await hub('reads')
    return await engine.listSessions(context, { limit: ALL })
  } catch (error) {
    if (error instanceof NoHub) return []
    throw error
  }
}
