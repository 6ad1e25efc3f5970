import type { Approval } from '../../../src/approvals/approval.ts'
import { endOf, isTerminalEnd } from '../../../src/approvals/ends/question-end.ts'
import { clockTime, span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** How a question ended: each end has its own words; then by whom, and how far the answer came. Pure. */
export function settledSentence(approval: Approval, now: number): string {
  const { status, end, supersededBy, by, via, settledAt, delivery, decision } = approval
  const when = settledAt === undefined ? '' : `, ${span(now - settledAt)} ago (${clockTime(settledAt)})`
  if (status === 'expired') return `Expired${when}: nobody answered in time, so it was not allowed.`
  if (supersededBy !== undefined) return `Superseded${when}: the session asked again.`
  const ended = endOf(approval)
  if (isTerminalEnd(ended)) return `${ended[0]?.toUpperCase()}${ended.slice(1)}${when}.`
  if (status === 'withdrawn') return `Withdrawn${when}: the session no longer asks.`
  const how = via === undefined ? '' : ` (${via.replaceAll('_', ' ')})`
  const reason =
    decision?.behavior === 'deny' && decision.message !== '' ? ` “${visibleText(decision.message)}”` : ''
  const reached = {
    none: 'It has not reached the session.',
    sent: 'It was sent to the session.',
    acknowledged: 'The session has continued with it.',
  }[delivery]
  const verb = status === 'allowed' ? 'Allowed' : end === 'dismissed' ? 'Dismissed' : 'Denied'
  return `${verb} by ${visibleText(by ?? 'somebody')}${how}${when}.${reason} ${reached}`
}
