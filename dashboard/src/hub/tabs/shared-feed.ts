import type { FollowedPage } from '../../../../src/engine/follow-all.ts'
import { type Lead, requestLead } from './lead.ts'
import { heard, joined, nextAction, passedOn, type TabMessage } from './tab-feed.ts'

/** The stream of the hub after a position, as `HubClient.feed`. */
type Stream = (
  after: number | undefined,
  signal: AbortSignal,
  onHeard: () => void,
) => AsyncGenerator<FollowedPage, void>

interface Shared {
  readonly stream: Stream
  /** The name that only tabs of the same device know. */
  readonly group: string
  readonly after: number | undefined
  readonly signal: AbortSignal
  readonly onHeard: () => void
}

const TICK_MS = 1_000
/** The others need a sign of life now and then, not one for each part of a burst. */
const SIGN_MS = 1_000
/** A frame: by then a tab has painted what it passes on. */
const FRAME_MS = 16

/** The same pages as the stream, which only one of the tabs opens: this one, while it leads. Ends or fails as the stream does. */
export async function* sharedFeed(shared: Shared): AsyncGenerator<FollowedPage, void> {
  const tabs = new BroadcastChannel(shared.group)
  let lead: Lead | undefined
  let position = shared.after
  try {
    while (!shared.signal.aborted) {
      for await (const step of follow(tabs, { ...shared, after: position })) {
        if ('release' in step) lead = step
        else {
          ;({ position } = step)
          yield step
        }
      }
      if (!lead) return
      const { lost } = lead
      try {
        for await (const page of leadOn(tabs, lost, { ...shared, after: position })) {
          ;({ position } = page)
          yield page
        }
      } catch (error) {
        if (!lost.aborted) throw error
      }
      if (!lost.aborted) return
    }
  } finally {
    lead?.release()
    tabs.close()
  }
}

/** What the tab that leads passes on; the lead itself comes last, when this tab gets it. */
async function* follow(
  tabs: BroadcastChannel,
  { group, after, signal, onHeard }: Shared,
): AsyncGenerator<FollowedPage | Lead, void> {
  let following = joined(after, Date.now())
  const arrived: (FollowedPage | Lead)[] = []
  let wake: (() => void) | undefined
  const add = (item: FollowedPage | Lead) => {
    arrived.push(item)
    wake?.()
  }
  const over = new AbortController()
  const end = () => {
    over.abort()
    wake?.()
  }
  const got = (lead: Lead) => (over.signal.aborted ? lead.release() : add(lead))
  const onMessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'where') return
    onHeard()
    const { following: next, page } = heard(following, data, Date.now())
    following = next
    if (page) add(page)
  }
  const timer = setInterval(() => {
    const action = nextAction(following, Date.now(), !document.hidden)
    if (action === undefined) return
    following = { ...following, askedAt: Date.now() }
    if (action === 'ask') send(tabs, { type: 'where' })
    else requestLead(group, { steal: true }).then(got, () => {})
  }, TICK_MS)
  try {
    signal.addEventListener('abort', end, { signal: over.signal })
    tabs.addEventListener('message', onMessage, { signal: over.signal })
    requestLead(group, { signal: over.signal }).then(got, () => {})
    send(tabs, { type: 'where' })
    while (!signal.aborted) {
      const item = arrived.shift()
      if (item) yield item
      else await new Promise<void>((resolve) => (wake = resolve))
      if (item && 'release' in item) return
    }
  } finally {
    clearInterval(timer)
    end()
    for (const item of arrived) if ('release' in item) item.release()
  }
}

/** The stream, passed on to the other tabs as it arrives. */
async function* leadOn(
  tabs: BroadcastChannel,
  lost: AbortSignal,
  { stream, after, signal, onHeard }: Shared,
): AsyncGenerator<FollowedPage, void> {
  let position = after
  /** Of the hub. Before it has answered, the other tabs may be further than this one. */
  let reached: number | undefined
  let signedAt = 0
  const over = new AbortController()
  // After the person who looks at this tab has seen it. A tab that nobody sees paints nothing, and its timers are slow.
  const say = (message: TabMessage) => {
    const sendIt = () => over.signal.aborted || send(tabs, message)
    if (document.hidden) sendIt()
    else setTimeout(sendIt, FRAME_MS)
  }
  const sign = () => {
    signedAt = Date.now()
    say({ type: 'here', position: reached })
  }
  const onMessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'where') sign()
  }
  const onHubHeard = () => {
    onHeard()
    if (Date.now() - signedAt > SIGN_MS) sign()
  }
  try {
    tabs.addEventListener('message', onMessage, { signal: over.signal })
    sign()
    for await (const page of stream(after, AbortSignal.any([signal, lost]), onHubHeard)) {
      // This tab first. If it is gone before the others have the page, the next one that leads reads it from the hub.
      yield page
      say(passedOn(position, page))
      position = reached = page.position
    }
  } finally {
    over.abort()
  }
}

function send(tabs: BroadcastChannel, message: TabMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches no other origin
  tabs.postMessage(message)
}
