import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { claimHeaders } from '../callers/caller-claim.ts'
import { Decision } from '../events/session-event.ts'
import type { Asked } from '../sessions/run/permit-calls.ts'
import type { CallContext } from '../engine/engine.ts'
import { RETRY_MS } from './retry-times.ts'
import { NoHub } from './hub-address.ts'
import type { HubConnection } from './hub-connection.ts'
import { HubLost, resultIn } from './hub-responses.ts'
import { SseFrames } from './sse-frames.ts'

/**
 * A question to the hub, by a stream that says now and then that it lives. It outlives the hub that it began with: the next
 * one is asked the same again, which is the same question there. Whoever goes away takes it back.
 */
export async function askHub(
  hub: HubConnection,
  { caller }: CallContext,
  { toolName, input, toolUseId }: Asked,
  gone: AbortSignal,
): Promise<Decision> {
  const params = { tool_name: toolName, input, tool_use_id: toolUseId }
  let lostAt: number | undefined
  let patience = FIRST_PATIENCE_MS
  for (;;) {
    try {
      const frames = new SseFrames()
      const how = { headers: claimHeaders(caller), signal: gone }
      const response = await hub.streamCall('loopback.permit', params, how)
      patience = PATIENCE_MS
      lostAt = undefined
      for await (const chunk of response.setEncoding('utf8'))
        for (const { data } of frames.take(String(chunk))) {
          const message: unknown = JSON.parse(data)
          if (IsAnswer.safeParse(message).success) return Decision.parse(resultIn(message))
        }
    } catch (error) {
      if (gone.aborted || !isAway(error)) throw error
      lostAt ??= performance.now()
      if (performance.now() - lostAt > patience) throw error
    }
    await sleep(RETRY_MS, undefined, { signal: gone })
  }
}

/** The hub is not there, or went before it answered; a stream that was cut has an error of the system. */
function isAway(error: unknown): boolean {
  return (
    error instanceof NoHub ||
    error instanceof HubLost ||
    (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
  )
}

const IsAnswer = z.looseObject({ id: z.literal(1) })
/** Where no hub has heard of the question yet: one may be about to start. */
const FIRST_PATIENCE_MS = 10_000
/** As long as a child of ours waits for the next hub. */
const PATIENCE_MS = 1_800_000
