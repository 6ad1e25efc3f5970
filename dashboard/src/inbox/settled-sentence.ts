import { endMeaning, endOf } from '../../../src/approvals/ends/question-end.ts'
import type { Approval } from '../../../src/approvals/approval.ts'
import { clockTime, span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** How a question ended: each end has its own words; then by whom, and how far the answer came. Pure. */
export function settledSentence(approval: Approval, now: number): string {
  const { by, via, settledAt, delivery, decision } = approval
  const when = settledAt === undefined ? '' : `, ${span(now - settledAt)} ago (${clockTime(settledAt)})`
  const end = endOf(approval)
  const verb = end.charAt(0).toUpperCase() + end.slice(1)
  const meaning = endMeaning(end)
  if (meaning !== undefined) {
    const who = by === undefined ? '' : ` by ${visibleText(by)}`
    return `${verb}${who}${when}: ${meaning}.`
  }
  const how = via === undefined ? '' : ` (${via.replaceAll('_', ' ')})`
  const reason =
    decision?.behavior === 'deny' && decision.message !== '' ? ` “${visibleText(decision.message)}”` : ''
  const reached = {
    none: 'It has not reached the session.',
    sent: 'It was sent to the session.',
    acknowledged: 'The session has continued with it.',
  }[delivery]
  // The session has not asked this, so nothing reaches it.
  const delivered = approval.flood ? '' : ` ${reached}`
  return `${verb} by ${visibleText(by ?? 'somebody')}${how}${when}.${reason}${delivered}`
}
