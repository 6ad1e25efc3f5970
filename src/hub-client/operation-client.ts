import { setTimeout as sleep } from 'node:timers/promises'
import type { CallEvent, OperationCall } from '../api/operation/operation-call.ts'
import { NoHub } from './hub-address.ts'
import type { CallOptions, HubConnection } from './hub-connection.ts'
import { type HubAnswer, HubLost } from './hub-responses.ts'
import { PATIENCE_MS, RETRY_MS } from './retry-times.ts'

/** The properties of a tool that matter when the hub ends in the middle of a call. */
export interface ToolTraits {
  readonly isReadOnly: boolean
  /** It may wait for an event. */
  readonly waits: boolean
}

export interface MakeCall extends Pick<CallOptions, 'headers'> {
  readonly signal: AbortSignal
  readonly onEvent?: ((event: CallEvent) => void) | undefined
  /** A sentence for the first call that starts a session; known once the hub is found. */
  readonly notice?: (() => string | undefined) | undefined
}

/**
 * Calls an operation in the hub, also if hubs end meanwhile. A call that only reads is retried with the next hub; so is a call
 * that is known to have begun a session or turn, and only waits since. Any other call may have changed something and is not
 * retried. The program that ended a hub has some time to start the next hub before a wait starts one.
 */
export async function callOperation(
  hub: Pick<HubConnection, 'operation'>,
  { isReadOnly, waits }: ToolTraits,
  call: OperationCall,
  { headers, signal, onEvent, notice }: MakeCall,
): Promise<HubAnswer> {
  const startedAt = performance.now()
  let { again } = call
  let lostAt: number | undefined
  for (;;) {
    const now = performance.now()
    const mayStart = lostAt === undefined || !waits || now - lostAt >= PATIENCE_MS
    const waitedMs = lostAt === undefined ? call.waitedMs : (call.waitedMs ?? 0) + now - startedAt
    try {
      return await hub.operation(() => ({ ...call, again, waitedMs, notice: notice?.() }), {
        headers,
        signal,
        mayStart,
        onEvent: (event) => {
          if (event.type === 'begun') again = { sessionId: event.sessionId, promptId: event.promptId }
          onEvent?.(event)
        },
      })
    } catch (error) {
      const isGone = error instanceof HubLost || (error instanceof NoHub && lostAt !== undefined)
      if (signal.aborted || !isGone || !(isReadOnly || again)) throw error
      if (lostAt !== undefined && (!waits || performance.now() - lostAt > MAX_AWAY_MS)) throw error
      lostAt = error instanceof HubLost ? performance.now() : (lostAt ?? performance.now())
    }
    if (waits) await sleep(RETRY_MS, undefined, { signal })
  }
}

/** A hub that does not come back in this time is gone for good. */
const MAX_AWAY_MS = 55_000
