import { fix, note, ok, type Outcome } from './finding.ts'

/** An MCP client of this machine, and whether Plexus is among its servers. */
export interface ConfiguredClient {
  readonly client: string
  readonly file: string
  /** `other` is a server of the name plexus that starts another program. */
  readonly state: 'absent' | 'configured' | 'other' | 'unreadable'
}

export function judgeClients(clients: readonly ConfiguredClient[]): Outcome[] {
  const of = (state: ConfiguredClient['state']) => clients.filter((one) => one.state === state)
  const configured = of('configured').map(({ client }) => client)
  return [
    configured.length > 0
      ? ok(`Plexus is a server of ${configured.join(', ')}.`)
      : note('No MCP client has Plexus as a server; plexus install CLIENT adds it.'),
    ...of('other').map(({ client, file }) =>
      note(
        `In ${file} the server plexus starts another program; plexus install ${client} sets it to this one.`,
      ),
    ),
    ...of('unreadable').map(({ file }) => fix(`${file} cannot be read or is not valid; repair it.`)),
  ]
}
