import { markdownOf } from '../../../src/command-line/views/markdown-log.ts'
import { titleOf } from '../../../src/command-line/views/session-words.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hub } from '../hub/connection.ts'

const PAGE = 1_000

/** The log of a session as Markdown: the same document as `plexus export` prints. */
export async function exportedMarkdown(session: Session): Promise<string> {
  const all: StoredEvent[] = []
  for (;;) {
    const { events } = await hub.call('readEvents', {
      sessionId: session.id,
      after: all.at(-1)?.seq ?? 0,
      limit: PAGE,
    })
    all.push(...events)
    if (events.length < PAGE) return markdownOf(titleOf(session), all)
  }
}
