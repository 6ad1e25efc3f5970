import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { claimHeaders } from '../callers/caller-claim.ts'
import { Decision } from '../events/decision.ts'
import type { Asked } from '../sessions/run/permit-calls.ts'
import type { CallContext } from '../engine/engine.ts'
import { RETRY_MS } from './retry-times.ts'
import { NoHub } from './hub-address.ts'
import type { HubConnection } from './hub-connection.ts'
import { HubLost, resultIn } from './hub-responses.ts'
import { SseFrames } from '../text/sse-frames.ts'

/**
 * Asks the hub a question, over a stream with keep-alives. The question survives the hub: the next hub is asked again, and
 * treats it as the same question. When `gone` is aborted, the question is withdrawn.
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
      const options = { headers: claimHeaders(caller), signal: gone }
      const response = await hub.streamCall('loopback.permit', params, options)
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

/** There is no hub, or it ended before it answered; a stream that was cut has an error of the system. */
function isAway(error: unknown): boolean {
  return (
    error instanceof NoHub ||
    error instanceof HubLost ||
    (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
  )
}

const IsAnswer = z.looseObject({ id: z.literal(1) })
/** Before any hub has received the question: a hub may be about to start. */
const FIRST_PATIENCE_MS = 10_000
/** The same time that a child of ours waits for the next hub. */
const PATIENCE_MS = 1_800_000
