import type { TerminalsFacts } from '../../terminals/judge-terminals.ts'
import { terminalsState } from '../../terminals/terminals-state.ts'
import type { HubFacts } from '../checks/hub.ts'
import type { Place } from './place.ts'

/** What is on disk, with what is known already of hub and CLI. */
export function terminalsFacts(
  { env, home, platform }: Place,
  { answers, pid, service }: HubFacts,
  cliVersion: string | undefined,
): TerminalsFacts {
  return {
    state: terminalsState(env, home, platform),
    hub: { answers, pid, isService: service.installed },
    cliVersion,
  }
}
