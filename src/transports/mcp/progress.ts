import { setImmediate as immediate } from 'node:timers/promises'

export type Say = (message: string) => Promise<void>

/** The part of an MCP request that progress needs. */
interface Request {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  readonly notify: (message: {
    method: 'notifications/progress'
    params: { progressToken: string | number; progress: number; message: string }
  }) => Promise<void>
}

/** Sends progress to the caller; undefined if the caller did not ask for it. */
export function progressOf(request: Request): Say | undefined {
  const { _meta: meta, notify } = request
  const { progressToken } = meta ?? {}
  if (progressToken === undefined) return undefined
  let progress = 0
  return async (message) => {
    const params = { progressToken, progress: progress++, message }
    await notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/**
 * Sends progress until the timer is cleared. The first message is sent at once: a call without any response fails with the hub;
 * a call whose response has begun can be resumed with the next hub.
 */
export async function keepAlive(say: Say, everyMs: number): Promise<NodeJS.Timeout> {
  await say(STILL_HERE)
  await immediate()
  return setInterval(() => void say(STILL_HERE), everyMs)
}

const STILL_HERE = 'waiting for an answer'
