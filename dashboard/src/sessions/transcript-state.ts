import { signal } from '@preact/signals'
import { hub } from '../hub/connection.ts'
import { onStep } from '../hub/hub-state.ts'
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
  over.addEventListener(
    'abort',
    onStep(({ sessionId: changed, events }) => {
      if (changed !== sessionId || !isWhole) return
      const [first] = events
      const { lastSeq } = transcript.peek()
      // A step that does not follow: some were missed while the hub was away.
      if (first && first.seq > lastSeq + 1) void begin()
      else transcript.value = withEvents(transcript.peek(), events)
    }),
  )
  void begin()
  return { transcript, problem }
}
