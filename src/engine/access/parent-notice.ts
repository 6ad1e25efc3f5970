import type { Approval } from '../../approvals/approval.ts'
import type { Session } from '../../sessions/record/session.ts'
import { visibleText } from '../../text/visible-text.ts'

/** Notices to a parent session, each with an id of its own: for a question its id, for an end the session and turn. */

/** The notice id of the end of the last turn; undefined while a turn runs, and before the first. */
export function turnEndId({ id, turn, status }: Session): string | undefined {
  return turn > 0 && ENDED.has(status) ? `${id}:${turn}` : undefined
}

/** Ids, kind and tool name only, so that no text of the child can pass for a message of Plexus. */
export function questionNotice(child: Session, { id, kind, toolName }: Approval): string {
  const what = kind === 'tool' || kind === 'form' ? `${kind} ${safeToolName(toolName)}` : kind
  return `Plexus: session ${displayName(child)} waits for an answer (question ${id}, ${what}); call claude_status.`
}

export function endNotice(child: Session): string {
  return `Plexus: session ${displayName(child)} has ended (${child.status}); call claude_status.`
}

/** The parent chose the name itself, but an injected prompt may have made it do so. */
function displayName({ id, name }: Session): string {
  return name === undefined ? id : `${JSON.stringify(visibleText(name).slice(0, 100))} (${id})`
}

function safeToolName(name: string): string {
  return name.replaceAll(/[^\w.:-]/g, '_').slice(0, 100)
}

const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'interrupted'])
