import { signal } from '@preact/signals'
import type { FeedStep } from '../../../src/events/event-feed.ts'
import { forgetToken, storedToken } from './device-token.ts'
import { HubClient, HubError, SignedOut } from './hub-client.ts'

/** Whether what is on the page is what the hub has. While it is `away`, nothing can be answered. */
type Connection = 'connecting' | 'live' | 'away' | 'signed out'

export const connection = signal<Connection>(storedToken() === undefined ? 'signed out' : 'connecting')
/** When the hub was last heard, for the age of what is shown. */
export const heardAt = signal(Date.now())

export const hub = new HubClient(storedToken)

interface Follower {
  /** The state must be read anew: at the beginning, and when steps were missed. */
  readonly onStart: () => Promise<void>
  readonly onStep: (step: FeedStep) => void
}

const RETRY_MS = 1_000

/** Follows the feed until the device is signed out. The state is read after the feed has begun, so that nothing is missed. */
export async function followHub({ onStart, onStep }: Follower, over: AbortSignal): Promise<void> {
  let position: number | undefined
  while (!over.aborted) {
    try {
      for await (const page of hub.feed(position, over)) {
        heardAt.value = Date.now()
        if (position === undefined || page.missed || connection.value !== 'live') await onStart()
        connection.value = 'live'
        position = page.position
        for (const step of page.steps) onStep(step)
      }
    } catch (error) {
      if (over.aborted) return
      if (error instanceof SignedOut) return signOut()
      if (!(error instanceof HubError) && !(error instanceof TypeError)) throw error
    }
    if (connection.peek() !== 'signed out') connection.value = 'away'
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function signOut(): void {
  forgetToken()
  connection.value = 'signed out'
}
