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
import { stopSignal } from './shutdown-signal.ts'
import { callerIdOf } from '../callers/caller.ts'

/**
 * MCP on stdin and stdout for a claude started outside Plexus. It asks as the session of its token, over the socket in the
 * home folder: any user could listen on a TCP port, but no other user can enter that folder. It has no other token, so it
 * may run inside a session, and it starts no hub.
 */
export async function relay(env: Env, flags: Readonly<Record<string, unknown>>): Promise<never> {
  const { [RELAY_TOKEN]: token, [SESSION_MARK]: name } = env
  if (!token || !name)
    throw new AppError(
      'invalid_input',
      'plexus relay is started by a claude command that "plexus configure" prints; run plexus configure.',
    )
  const { nested, home } = flags
  const config = configFrom(env, home === undefined ? {} : { home })
  const log = createLog(config.logLevel)
  const socket = join(resolve(config.home), 'hub.sock')
  const engine = createRemoteEngine({ find: async () => ({ socket, token }) })
  const scopes = nested === true ? ['nested'] : []
  const caller = { id: callerIdOf('session', name), kind: 'session', name, scopes, person: false } as const
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
  // Closing its connections withdraws its questions.
  engine.close()
  process.exit(0)
}

const PROGRESS_MS = 15_000
