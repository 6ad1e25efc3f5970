import { signal } from '@preact/signals'
import { hub } from '../hub/connection.ts'
import { onStep } from '../hub/hub-state.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import { EMPTY, type Transcript, withEvents } from './transcript.ts'

const PAGE = 1_000

/** The transcript of a session, read from its beginning and then kept up to date by the feed. */
export function followTranscript(sessionId: string, over: AbortSignal) {
  const transcript = signal<Transcript>(EMPTY)
  const problem = signal<string | undefined>(undefined)
  let isWhole = false
  const read = async () => {
    while (!over.aborted) {
      const { events } = await hub.call('readEvents', {
        sessionId,
        after: transcript.peek().lastSeq,
        limit: PAGE,
      })
      if (over.aborted) return
      transcript.value = withEvents(transcript.peek(), events)
      if (events.length < PAGE) break
    }
    isWhole = true
  }
  const begin = () =>
    read().catch((error: unknown) => {
      problem.value = error instanceof Error ? error.message : String(error)
    })
  /** What arrived since the last paint: a burst costs one paint, not one for each event. */
  let arrived: StoredEvent[] = []
  const show = () => {
    const [events, { lastSeq }] = [arrived, transcript.peek()]
    arrived = []
    if (over.aborted) return
    // Events that do not follow: some were missed while the hub was away.
    if (events.some(({ seq }, index) => seq > (events[index - 1]?.seq ?? lastSeq) + 1)) void begin()
    else transcript.value = withEvents(transcript.peek(), events)
  }
  over.addEventListener(
    'abort',
    onStep(({ sessionId: changed, events }) => {
      if (changed !== sessionId || !isWhole) return
      if (arrived.length === 0) beforeNextPaint(show)
      arrived.push(...events)
    }),
  )
  void begin()
  return { transcript, problem }
}

/** A hidden page is not painted, and still has to keep up. */
function beforeNextPaint(work: () => void): void {
  if (document.hidden) setTimeout(work, 0)
  else requestAnimationFrame(work)
}
