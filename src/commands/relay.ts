import { join, resolve } from 'node:path'
import { operationsFor } from '../api/operations.ts'
import { SESSION_MARK } from '../system/session-mark.ts'
import { RELAY_TOKEN } from '../child/launch/mcp-servers.ts'
import { configFrom, type Env } from '../assembly/config.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { AppError } from '../base/errors.ts'
import { createLog } from '../base/log.ts'
import { JsonLines } from '../transports/mcp/json-lines.ts'
import { serveMcp } from '../transports/mcp/mcp-stdio.ts'
import { stopSignal } from './stop-signal.ts'

/**
 * MCP on stdin and stdout for a claude that somebody else has started: it asks here as the session that its token belongs
 * to, over the socket of the home folder. On a port of TCP anybody may listen; into the folder nobody else comes. It has no
 * token but that one, so it may run inside a session, and it starts no hub.
 */
export async function relay(env: Env, flags: Readonly<Record<string, unknown>>): Promise<never> {
  const { [RELAY_TOKEN]: token, [SESSION_MARK]: name } = env
  if (!token || !name)
    throw new AppError(
      'invalid_input',
      'The relay is started by a claude with what "plexus configure" gives it; run that.',
    )
  const { nested, home } = flags
  const config = configFrom(env, home === undefined ? {} : { home })
  const log = createLog(config.logLevel)
  const socket = join(resolve(config.home), 'hub.sock')
  const engine = createRemoteEngine({ find: async () => ({ socket, token }) })
  const scopes = nested === true ? ['nested'] : []
  const caller = { id: `session ${name}`, kind: 'session', name, scopes, person: false } as const
  const take = await serveMcp(
    {
      engine,
      caller,
      send: (message) => lines.send(message),
      operations: operationsFor(caller, 'all'),
      progressMs: PROGRESS_MS,
      onError: (error) => log.error('A call of MCP failed.', { error }),
      onRefused: () => {}, // the hub has noted it
    },
    [],
  )
  const lines = new JsonLines(process.stdin, process.stdout, (message) => take(message))
  await Promise.race([lines.closed, stopSignal()])
  // What it has asked is taken back with its connections.
  engine.close()
  process.exit(0)
}

const PROGRESS_MS = 15_000
