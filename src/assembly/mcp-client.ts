import type { CallEvent, OperationCall } from '../api/operation/operation-call.ts'
import { createLog, type Log, LOG_LEVELS } from '../base/log.ts'
import type { Caller } from '../callers/access-rules.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import { HubConnection } from '../hub-client/hub-connection.ts'
import type { HubAnswer } from '../hub-client/hub-responses.ts'
import { callOperation, type ToolTraits } from '../hub-client/operation-client.ts'
import { type Config, configFrom, type Env } from './config.ts'
import { exitOnFault } from './exit-on-fault.ts'
import { type HubForMcp, hubForMcp } from './hub-for-mcp.ts'
import { ignoredVariablesNotice } from './ignored-variables.ts'
import type { McpOptions } from './mcp-options.ts'
import { callerIdOf } from '../callers/caller.ts'

export interface McpClient {
  readonly hub: HubForMcp
  readonly caller: Caller
  readonly log: Log
  /** Calls an operation in the hub. */
  readonly call: (call: OperationCall, options: CallOptions) => Promise<HubAnswer>
  /** Adds a listener that is called after each call: then there is a hub. */
  readonly onCalled: (listener: () => void) => void
  readonly close: () => Promise<void>
}

interface CallOptions {
  readonly signal: AbortSignal
  readonly onEvent?: ((event: CallEvent) => void) | undefined
}

/** The connection of `plexus mcp` to its hub, which is found or started at the first call. Imports little, to start fast. */
export function createMcpClient(
  options: McpOptions,
  env: Env,
  traitsOf: (tool: string) => ToolTraits,
): McpClient {
  const log = createLog(LOG_LEVELS.find((level) => level === env['LOG_LEVEL']) ?? 'info')
  exitOnFault(log)
  const { home, endChildren, ask } = options
  const flags = { 'end-children': endChildren, ...(home === undefined ? {} : { home }) }
  let read: Config | undefined
  // An invalid configuration is an error of each call.
  const config = () => (read ??= configFrom(env, flags))
  const notice = ignoredVariablesNotice(config, log)
  const hub = hubForMcp({ ...options, config, log, onFound: notice.onFound })
  const connection = new HubConnection(hub)
  const caller = callerOf(options)
  const headers = claimHeaders(caller)
  const listeners: (() => void)[] = []
  return {
    hub,
    caller,
    log,
    call: async (call, { signal, onEvent }) => {
      const { permissionTimeoutMs, env: set } = config()
      // The hub may have been started with another limit; the limit of this client holds for the sessions that it starts.
      const timeoutMs = set['PERMISSION_TIMEOUT_MS'] === undefined ? undefined : permissionTimeoutMs
      const own = { workingDirectory: process.cwd(), ask, timeoutMs }
      const made = { headers, signal, onEvent, notice: notice.sentence }
      const answer = await callOperation(connection, traitsOf(call.tool), { ...call, ...own }, made)
      if (answer.noticed) notice.clear()
      for (const listener of listeners) listener()
      return answer
    },
    onCalled: (listener) => void listeners.push(listener),
    close: async () => {
      connection.close()
      await hub.close()
    },
  }
}

/** A model makes these calls. The hub knows the caller and its rights by the token, and this claim can only reduce them. */
function callerOf({ as, allowBypass }: McpOptions): Caller {
  const scopes = ['transcripts', ...(allowBypass ? ['bypass'] : [])]
  const common = { scopes, person: false, via: 'tool' } as const
  if (as === undefined)
    return { id: callerIdOf('operator', 'operator'), kind: 'operator', name: 'operator', ...common }
  return { id: callerIdOf('client', as), kind: 'client', name: as, ...common }
}
