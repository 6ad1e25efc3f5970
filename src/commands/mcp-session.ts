import { randomUUID } from 'node:crypto'
import { operationsFor } from '../api/operations.ts'
import type { Identity } from '../callers/permission.ts'
import { configFrom, type Env } from '../config.ts'
import { createRemoteEngine } from '../engine/remote-engine.ts'
import { createLog, LOG_LEVELS } from '../log.ts'
import { FormSwitch, isTerminalEntry } from '../transports/known-person.ts'
import { signerWith } from '../signed-text.ts'
import { serveMcp } from '../transports/mcp-stdio.ts'
import { failQuietly } from './fail-quietly.ts'
import type { McpWish } from './mcp.ts'
import { hubOf } from './mcp-hub.ts'

export interface McpSession {
  readonly take: (message: unknown) => void
  readonly close: () => Promise<void>
}

export interface Connection {
  /** What was said at its beginning, and answered. */
  readonly opening: readonly unknown[]
  readonly send: (message: object) => Promise<void>
}

/** The part of `plexus mcp` that speaks MCP in full, and to a hub. The hub is come by at the first call that needs it. */
export async function beginMcpSession(
  wish: McpWish,
  env: Env,
  { opening, send }: Connection,
): Promise<McpSession> {
  const log = createLog(LOG_LEVELS.find((level) => level === env['LOG_LEVEL']) ?? 'info')
  failQuietly(log)
  // What is wrong with the configuration is told to whoever calls a tool, where it is read.
  const config = () => configFrom(env, wish.home === undefined ? {} : { home: wish.home })
  const hub = hubOf({ ...wish, config, log })
  const engine = createRemoteEngine(hub)
  const onlooker = createRemoteEngine(hub.onlooker)
  const caller = callerOf(wish)
  const take = await serveMcp(
    {
      engine,
      onlooker,
      caller,
      send,
      operations: operationsFor(caller, wish.toolset),
      seat: {
        ask: wish.ask,
        isTerminal: isTerminalEntry(env['CLAUDE_CODE_ENTRYPOINT']),
        forms: new FormSwitch(),
      },
      signer: signerWith(randomUUID()),
      workingDirectory: process.cwd(),
      progressMs: PROGRESS_MS,
      onError: (error) => log.error('A call of MCP failed.', { error }),
      onRefused: () => {}, // the hub has noted it
    },
    opening,
  )
  const close = async () => {
    engine.close()
    onlooker.close()
    await hub.close()
  }
  return { take, close }
}

/** A model drives this; who it is and what it may the hub says by its token, and this can only make less of it. */
function callerOf({ as, allowBypass }: McpWish): Identity {
  const scopes = ['transcripts', ...(allowBypass ? ['bypass'] : [])]
  if (as === undefined) return { id: 'operator', kind: 'operator', name: 'operator', scopes, person: false }
  return { id: `client ${as}`, kind: 'client', name: as, scopes, person: false }
}

const PROGRESS_MS = 15_000
