import type { Column } from '../../command-line/views/columns.ts'
import { oneLine, shortFolder } from '../../command-line/views/session-words.ts'
import type { ConfiguredClient } from '../../setup/clients/configured-clients.ts'

/** The clients as a table. */
export function clientColumns(
  clients: readonly ConfiguredClient[],
  homeFolder: string | undefined,
): Column[] {
  const column = (title: string, cellOf: (one: ConfiguredClient) => string): Column => ({
    title,
    cells: clients.map(cellOf),
  })
  return [
    column('CLIENT', ({ client }) => client),
    column('HERE', ({ found }) => (found ? 'yes' : 'no')),
    column('PLEXUS', stateText),
    { ...column('FILE', ({ file }) => oneLine(shortFolder(file, homeFolder))), flexible: true },
  ]
}

function stateText({ state, command }: ConfiguredClient): string {
  return state === 'other' ? `other: ${oneLine(command ?? '')}` : state
}
