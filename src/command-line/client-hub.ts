import { type Config, configFrom, type Env } from '../assembly/config.ts'
import { hubForMcp } from '../assembly/hub-for-mcp.ts'
import { createLog } from '../base/log.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import { HubConnection } from '../hub-client/hub-connection.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { callerAt } from './agent-environment.ts'
import type { ClientHub } from './command.ts'
import { HubPresence } from './hub-presence.ts'

export interface ClientConnection extends ClientHub {
  readonly close: () => void
}

export interface ClientOptions {
  readonly env: Env
  readonly home: string | undefined
  /** A command that only reads starts no hub. */
  readonly startsHub: boolean
  /** Called when a request was sent. */
  readonly whileItAnswers?: (() => void) | undefined
}

export function homeOf(env: Env, home: string | undefined): string {
  return configOf(env, home).home
}

function configOf(env: Env, home: string | undefined): Config {
  return configFrom(env, home === undefined ? {} : { home })
}

/** The hub of a home folder, for a command: its caller is the person at this terminal, or the agent that runs it. */
export function connectToHub({ env, home, startsHub, whileItAnswers }: ClientOptions): ClientConnection {
  const config = configOf(env, home)
  const found = hubForMcp({
    config: () => config,
    log: createLog(config.logLevel),
    as: undefined,
    standalone: false,
  })
  const presence = new HubPresence()
  const finder = {
    ...(startsHub ? found : found.onlooker),
    onPresence: presence.note,
    onSent: whileItAnswers,
  }
  const engine = createRemoteEngine(finder)
  const connection = new HubConnection(finder)
  const caller = callerAt(env)
  const silence = setTimeout(() => {
    void presence.sayIfSilent(
      config.home,
      SILENT_MS,
      (line) => void process.stderr.write(`plexus: ${line}\n`),
    )
  }, SILENT_MS).unref()
  return {
    engine,
    context: { caller },
    presence,
    call: (method, params) => connection.call(method, params, { headers: claimHeaders(caller) }),
    close: () => {
      clearTimeout(silence)
      engine.close()
      connection.close()
    },
  }
}

/** Twice this long, and a person has a line: once for the call, once for the question whether the hub answers at all. */
const SILENT_MS = 1_500
