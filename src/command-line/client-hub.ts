import { configFrom, type Env } from '../assembly/config.ts'
import { hubForMcp } from '../assembly/hub-for-mcp.ts'
import { createLog } from '../base/log.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { callerAt } from './agent-environment.ts'
import type { ClientHub } from './command.ts'

export interface ClientConnection extends ClientHub {
  readonly close: () => void
}

export interface ClientOptions {
  readonly env: Env
  readonly home: string | undefined
  /** A command that only reads starts no hub. */
  readonly startsHub: boolean
}

/** The hub of a home folder, for a command: its caller is the person at this terminal, or the agent that runs it. */
export function connectToHub({ env, home, startsHub }: ClientOptions): ClientConnection {
  const config = configFrom(env, home === undefined ? {} : { home })
  const found = hubForMcp({
    config: () => config,
    log: createLog(config.logLevel),
    as: undefined,
    standalone: false,
  })
  const engine = createRemoteEngine(startsHub ? found : found.onlooker)
  return { engine, context: { caller: callerAt(env) }, close: () => engine.close() }
}
