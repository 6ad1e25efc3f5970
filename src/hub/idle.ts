import { setTimeout } from 'node:timers/promises'
import type { Store } from '../store/store.ts'

export interface Busy {
  readonly store: Pick<Store, 'sessions'>
  readonly connections: () => Promise<number>
}

/** Resolves once nobody has been connected and no session at work or waiting for this long; without a limit, never. */
export async function whenIdle(seconds: number | undefined, { store, connections }: Busy): Promise<'idle'> {
  if (seconds === undefined) return new Promise(() => {})
  for (let since = performance.now(); ;) {
    await setTimeout(Math.min(LOOK_MS, (seconds * 1_000) / 2), undefined, { ref: false })
    const { running, waiting } = await store.sessions.countByStatus()
    const busy = running + waiting > 0 || (await connections()) > 0
    if (busy) since = performance.now()
    else if (performance.now() - since >= seconds * 1_000) return 'idle'
  }
}

const LOOK_MS = 5_000
