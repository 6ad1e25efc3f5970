import { setTimeout as sleep } from 'node:timers/promises'
import type { CallEvent, OperationCall } from '../api/operation/operation-call.ts'
import { NoHub } from './hub-address.ts'
import type { CallOptions, HubConnection } from './hub-connection.ts'
import { type HubAnswer, HubLost } from './hub-responses.ts'
import { PATIENCE_MS, RETRY_MS } from './retry-times.ts'

/** A tool, as far as it matters when the hub goes away in the middle of a call. */
export interface ToolTraits {
  /** It changes nothing. */
  readonly isReadOnly: boolean
  /** It may wait for something to happen. */
  readonly waits: boolean
}

export interface MakeCall extends Pick<CallOptions, 'headers'> {
  readonly signal: AbortSignal
  readonly onEvent?: ((event: CallEvent) => void) | undefined
  /** What to say once, to whoever starts a session; known when the hub is found. */
  readonly notice?: (() => string | undefined) | undefined
}

/**
 * Makes one call of an operation in the hub, across hubs that end. What only looks is asked again of the next one; so is what
 * has begun something and waits since. What may have changed something is not. Whoever ended a hub has some time to start
 * the next one before a wait does it.
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
      if (lostAt !== undefined && (!waits || performance.now() - lostAt > MOST_MS)) throw error
      lostAt = error instanceof HubLost ? performance.now() : (lostAt ?? performance.now())
    }
    if (waits) await sleep(RETRY_MS, undefined, { signal })
  }
}

/** A hub that does not come back in this time is gone for good. */
const MOST_MS = 55_000
