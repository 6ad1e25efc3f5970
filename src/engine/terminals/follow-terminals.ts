import { TerminalAsks } from './terminal-asks.ts'
import { TerminalSessions, type TerminalSessionsDeps } from './terminal-sessions.ts'

/** What a hub knows of the CLIs in terminals, and how they ask it. */
export interface Terminals {
  readonly asks: TerminalAsks
  readonly close: () => void
}

/** Begins to follow them. */
export function followTerminals(deps: TerminalSessionsDeps): Terminals {
  const terminals = new TerminalSessions(deps)
  const asks = new TerminalAsks({ ...deps, terminals })
  terminals.start()
  asks.start()
  return {
    asks,
    close: () => {
      asks.close()
      terminals.close()
    },
  }
}
