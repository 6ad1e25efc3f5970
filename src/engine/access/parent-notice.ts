import type { Approval } from '../../approvals/approval.ts'
import type { Session } from '../../sessions/record/session.ts'
import { visibleText } from '../../text/visible-text.ts'

/** What a session may have to know of one below it, each by a name of its own: a question by its id, an end by its turn. */

/** The end of the last turn; undefined while it goes on, and before the first. */
export function endOf({ id, turn, status }: Session): string | undefined {
  return turn > 0 && ENDED.has(status) ? `${id}:${turn}` : undefined
}

/** Ids, kind and tool only: nothing that the session below has written reads like something that we say. */
export function questionNews(child: Session, { id, kind, toolName }: Approval): string {
  const what = kind === 'tool' || kind === 'form' ? `${kind} ${plain(toolName)}` : kind
  return `Plexus: session ${nameOf(child)} waits for an answer (question ${id}, ${what}); call claude_status.`
}

export function endNews(child: Session): string {
  return `Plexus: session ${nameOf(child)} has ended (${child.status}); call claude_status.`
}

/** Whoever is to read it has chosen the name, but may have been made to. */
function nameOf({ id, name }: Session): string {
  return name === undefined ? id : `${JSON.stringify(visibleText(name).slice(0, 100))} (${id})`
}

function plain(name: string): string {
  return name.replaceAll(/[^\w.:-]/g, '_').slice(0, 100)
}

const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'interrupted'])
