import { setTimeout } from 'node:timers/promises'

export interface Activity {
  /** The number of sessions in a turn or waiting for an answer. */
  readonly sessions: () => Promise<number>
  readonly connections: () => Promise<number>
}

/** Resolves once there was no connection and no busy session for this long; without a limit, never. */
export async function whenIdle(
  seconds: number | undefined,
  { sessions, connections }: Activity,
): Promise<'idle'> {
  if (seconds === undefined) return new Promise(() => {})
  for (let since = performance.now(); ;) {
    await setTimeout(Math.min(CHECK_MS, (seconds * 1_000) / 2), undefined, { ref: false })
    const busy = (await sessions()) > 0 || (await connections()) > 0
    if (busy) since = performance.now()
    else if (performance.now() - since >= seconds * 1_000) return 'idle'
  }
}

const CHECK_MS = 5_000
