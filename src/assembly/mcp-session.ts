import { randomUUID } from 'node:crypto'
import { operationsFor } from '../api/operations.ts'
import type { Caller } from '../callers/access-rules.ts'
import { type Config, configFrom, type Env } from './config.ts'
import type { Engine } from '../engine/engine.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import type { HubRecord } from '../hub/hub-record.ts'
import { createLog, type Log, LOG_LEVELS } from '../base/log.ts'
import { FormSwitch, isTerminalEntry } from '../transports/person/known-person.ts'
import { createSigner } from '../text/signed-text.ts'
import { serveMcp } from '../transports/mcp/mcp-stdio.ts'
import { failQuietly } from './exit-on-fault.ts'
import type { McpOptions } from './mcp-options.ts'
import { hubOf } from './hub-for-mcp.ts'
import { unheardSentence } from './ignored-variables.ts'

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
  options: McpOptions,
  env: Env,
  { opening, send }: Connection,
): Promise<McpSession> {
  const log = createLog(LOG_LEVELS.find((level) => level === env['LOG_LEVEL']) ?? 'info')
  failQuietly(log)
  // What is wrong with the configuration is told to whoever calls a tool, where it is read.
  const { home, endChildren } = options
  const flags = { 'end-children': endChildren, ...(home === undefined ? {} : { home }) }
  const config = () => configFrom(env, flags)
  const notice = onceNoticed(config, log)
  const hub = hubOf({ ...options, config, log, onFound: notice.found })
  const engine = withOwnTimeout(createRemoteEngine(hub), config)
  const onlooker = createRemoteEngine(hub.onlooker)
  const caller = callerOf(options)
  const take = await serveMcp(
    {
      engine,
      onlooker,
      caller,
      send,
      operations: operationsFor(caller, options.toolset),
      seat: {
        ask: options.ask,
        isTerminal: isTerminalEntry(env['CLAUDE_CODE_ENTRYPOINT']),
        forms: new FormSwitch(),
      },
      signer: createSigner(randomUUID()),
      workingDirectory: process.cwd(),
      progressMs: PROGRESS_MS,
      notice: notice.take,
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

/** Says once on stderr, and once to who asks, which variables of this client the hub does not heed. */
function onceNoticed(config: () => Config, log: Log) {
  let sentence: string | undefined
  let told = false
  return {
    found: ({ set }: HubRecord) => {
      sentence = told ? sentence : unheardSentence(config(), set)
      if (sentence !== undefined && !told) log.warn(sentence)
      told ||= sentence !== undefined
    },
    take: () => {
      const taken = sentence
      sentence = undefined
      return taken
    },
  }
}

/** The hub may have been started with another limit; that of this client holds for what it starts. */
function withOwnTimeout<T extends Engine>(engine: T, config: () => Config): T {
  const createSession: Engine['createSession'] = async (who, input) => {
    const { env, permissionTimeoutMs } = config()
    const own = env['PERMISSION_TIMEOUT_MS'] === undefined ? {} : { timeoutMs: permissionTimeoutMs }
    return engine.createSession(who, { ...own, ...input })
  }
  return { ...engine, createSession }
}

/** A model drives this; who it is and what it may the hub says by its token, and this can only make less of it. */
function callerOf({ as, allowBypass }: McpOptions): Caller {
  const scopes = ['transcripts', ...(allowBypass ? ['bypass'] : [])]
  if (as === undefined) return { id: 'operator', kind: 'operator', name: 'operator', scopes, person: false }
  return { id: `client ${as}`, kind: 'client', name: as, scopes, person: false }
}

const PROGRESS_MS = 15_000
