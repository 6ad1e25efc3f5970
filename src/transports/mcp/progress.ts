import { setImmediate as immediate } from 'node:timers/promises'

export type Say = (message: string) => Promise<void>

/** A request of MCP, as far as progress matters. */
interface Request {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  readonly notify: (message: {
    method: 'notifications/progress'
    params: { progressToken: string | number; progress: number; message: string }
  }) => Promise<void>
}

/** Sends progress to the caller, if they want it. */
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
 * Progress, as long as it lasts. The first at once: a call without a word of an answer fails when the hub does; one that has
 * begun can be asked again of the next.
 */
export async function keepAlive(say: Say, everyMs: number): Promise<NodeJS.Timeout> {
  await say(STILL_HERE)
  await immediate()
  return setInterval(() => void say(STILL_HERE), everyMs)
}

const STILL_HERE = 'waiting for an answer'
