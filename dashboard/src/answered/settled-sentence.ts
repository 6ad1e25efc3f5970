import type { Approval } from '../../../src/approvals/approval.ts'
import { answerParts } from '../../../src/command-line/views/answer-lines.ts'
import { endOf, isTerminalEnd } from '../../../src/approvals/ends/question-end.ts'
import { clockTime, span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** How a question ended: each end has its own words; then by whom, and how far the answer came. Pure. */
export function settledSentence(approval: Approval, now: number): string {
  const { status, supersededBy, by, via, settledAt, delivery, decision } = approval
  const when = settledAt === undefined ? '' : `, ${span(now - settledAt)} ago (${clockTime(settledAt)})`
  if (status === 'expired') return `Expired${when}: nobody answered in time, so it was not allowed.`
  if (supersededBy !== undefined) return `Superseded${when}: the session asked again.`
  const ended = endOf(approval)
  if (isTerminalEnd(ended)) return `${ended[0]?.toUpperCase()}${ended.slice(1)}${when}.`
  if (status === 'withdrawn') return `Withdrawn${when}: the session no longer asks.`
  const how = via === undefined ? '' : ` (${via.replaceAll('_', ' ')})`
  const { reason: said = '', approvedInput } = answerParts(approval, decision)
  const reason = said === '' ? '' : ` “${visibleText(said)}”`
  const reached = {
    none: 'It has not reached the session.',
    sent: 'It was sent to the session.',
    acknowledged: 'The session has continued with it.',
  }[delivery]
  const verb = VERBS[ended] ?? (status === 'allowed' ? 'Allowed' : 'Denied')
  const edited = approvedInput ? ' as edited' : ''
  return `${verb}${edited} by ${visibleText(by ?? 'somebody')}${how}${when}.${reason} ${reached}`
}

/** Of the last three nobody decided on this very question; the reason, which the session reads, says why. */
const VERBS: Partial<Record<ReturnType<typeof endOf>, string>> = {
  answered: 'Answered',
  declined: 'Declined',
  dismissed: 'Dismissed',
  'denied, repeated': 'Denied as a repetition',
  'denied, with others': 'Denied with others, unseen,',
  'denied, too many': 'Denied as one too many',
}
