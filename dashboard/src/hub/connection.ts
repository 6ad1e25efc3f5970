import { signal } from '@preact/signals'
import type { FollowedPage, FollowedStep } from '../../../src/engine/follow-all.ts'
import { forgetToken, storedToken } from './device-token.ts'
import { HubClient, HubError, SignedOut } from './hub-client.ts'
import { groupOf } from './tabs/lead.ts'
import { sharedFeed } from './tabs/shared-feed.ts'

/** Whether what is on the page is what the hub has. While it is `away`, nothing can be answered. */
type Connection = 'connecting' | 'live' | 'away' | 'signed out'

export const connection = signal<Connection>(storedToken() === undefined ? 'signed out' : 'connecting')
/** When the hub was last heard, for the age of what is shown. */
export const heardAt = signal(Date.now())

export const hub = new HubClient(storedToken)

interface Follower {
  /** The state must be read anew: at the beginning, and when steps were missed. */
  readonly onStart: () => Promise<void>
  readonly onStep: (step: FollowedStep) => void
}

const RETRY_MS = 1_000
const TICK_MS = 1_000
/** A page whose clock jumps by more than this was asleep, or hidden for long. */
const ASLEEP_MS = 10_000
/** The hub sends something every 15 seconds; a connection that is silent for longer than this is dead. */
const SILENT_MS = 40_000

let tickedAt = Date.now()
/** Ends the connection that is open now; the next follows at once. */
let reconnect = () => {}

/**
 * Whether the page has run until now. After a sleep, what it shows is as old as the sleep: nothing can be answered until it was
 * read again. A key may come before the first timer, so whatever answers asks here.
 */
export function isAwake(): boolean {
  const isJump = Date.now() - tickedAt > ASLEEP_MS
  tickedAt = Date.now()
  if (!isJump) return true
  if (connection.peek() === 'live') connection.value = 'connecting'
  reconnect()
  return false
}

/** The token of the feed that is followed now. */
let followedAs: string | undefined

setInterval(() => {
  if (!isAwake() || connection.peek() !== 'live') return
  // Another tab has signed this browser in as another device, or out: what the one before may see is not for this one.
  const isOther = followedAs !== storedToken()
  if (isOther || Date.now() - heardAt.peek() > SILENT_MS) reconnect()
}, TICK_MS)

/** Follows the feed until the device is signed out. The state is read after the feed has begun, so that nothing is missed. */
export async function followHub({ onStart, onStep }: Follower, over: AbortSignal): Promise<void> {
  let position: number | undefined
  while (!over.aborted) {
    const cut = new AbortController()
    reconnect = () => cut.abort()
    try {
      for await (const page of feed(position, AbortSignal.any([over, cut.signal]))) {
        if (position === undefined || page.missed || connection.value !== 'live') await onStart()
        if (cut.signal.aborted) break
        connection.value = 'live'
        position = page.position
        for (const step of page.steps) onStep(step)
      }
    } catch (error) {
      if (over.aborted) return
      if (error instanceof SignedOut) return signOut()
      if (!cut.signal.aborted && !(error instanceof HubError) && !(error instanceof TypeError)) throw error
    }
    if (cut.signal.aborted) continue
    if (connection.peek() !== 'signed out') connection.value = 'away'
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** The feed of the hub: by the one stream that the tabs of this device share, where the browser lets them. */
async function* feed(after: number | undefined, over: AbortSignal): AsyncGenerator<FollowedPage, void> {
  const stream = hub.feed.bind(hub)
  followedAs = storedToken()
  const group = followedAs === undefined ? undefined : await groupOf(followedAs)
  if (group === undefined) yield* stream(after, over, noteHeard)
  else yield* sharedFeed({ stream, group, after, signal: over, onHeard: noteHeard })
}

function noteHeard(): void {
  heardAt.value = Date.now()
}

function signOut(): void {
  forgetToken()
  connection.value = 'signed out'
}
