import type { ServerContext } from '@modelcontextprotocol/server'
import { setImmediate as immediate } from 'node:timers/promises'

export type Say = (message: string) => Promise<void>

/** How a call is told of what goes on, if its caller wants to know. */
export function progressOf(mcpReq: ServerContext['mcpReq']): Say | undefined {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return async (message) => {
    const params = { progressToken, progress: progress++, message }
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/**
 * Progress, as long as it lasts. The first at once: a call without a word of an answer fails when the hub does; one that has
 * begun can be asked again of the next.
 */
export async function keepAlive(say: Say, everyMs: number): Promise<NodeJS.Timeout> {
  await say(STILL_HERE)
  await immediate()
  return setInterval(() => void say(STILL_HERE), everyMs)
}

const STILL_HERE = 'waiting for an answer'
