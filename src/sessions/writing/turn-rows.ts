import type { SessionId } from '../../base/ids.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import type { Turn } from '../record/session.ts'
import type { Ledger } from './ledger.ts'

/** The row of a turn that begins with this event. */
export function turnOf(sessionId: SessionId, number: number, event: SessionEvent, firstSeq: number): Turn {
  return {
    sessionId,
    number,
    firstSeq,
    promptId: event.type === 'prompt.accepted' ? event.promptId : undefined,
  }
}

/** The node of a turn that has ended. */
export function nodeOf(before: Ledger, { session, state, turn, title }: Ledger, at: number): TreeNode {
  const { number = 0, assistantUuid } = turn ?? {}
  const parentId = before.session.headNode
  const cliSessionId = state.cliSessionId ?? session.cliSessionId
  return {
    cliSessionId,
    id: session.headNode ?? '',
    sessionId: session.id,
    parentId,
    turn: number,
    title,
    assistantUuid,
    at,
  }
}

/** The first line of the prompt of a turn; empty for a turn that began by itself. */
export function titleOf(event: SessionEvent | undefined): string {
  if (event?.type !== 'prompt.accepted') return ''
  const text = typeof event.content === 'string' ? event.content : JSON.stringify(event.content)
  return text.trimStart().split('\n', 1)[0]?.slice(0, MAX_TITLE) ?? ''
}

const MAX_TITLE = 120
