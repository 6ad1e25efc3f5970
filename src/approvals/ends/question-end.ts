import { type StoredEnd, TERMINAL_ENDS, type TerminalEnd } from '../../base/answer-via.ts'
import type { Decision } from '../../events/decision.ts'

/**
 * How a question ended, in one word. An end that nobody chose (expired, withdrawn, superseded) and one without an answer
 * (dismissed) are not a no.
 */
export type QuestionEnd =
  | 'allowed'
  | 'denied'
  | 'answered'
  | 'declined'
  | 'dismissed'
  | 'expired'
  | 'withdrawn'
  | 'superseded'
  | 'allowed by rule'
  | 'denied by rule'
  | TerminalEnd
  | `denied, ${Exclude<StoredEnd, 'dismissed' | TerminalEnd>}`

/** A settled question, or its event with what was asked. */
export interface EndedQuestion {
  readonly status: string
  /** Unknown where only the event is at hand: then an answer is called allowed or denied. */
  readonly kind?: string | undefined
  readonly via?: string | undefined
  readonly end?: StoredEnd | undefined
  readonly decision?: Decision | undefined
  readonly supersededBy?: string | undefined
}

/** Pure. For a question that is open it is its status. */
export function endOf(question: EndedQuestion): QuestionEnd | 'pending' {
  const { status, end, via, supersededBy } = question
  if (end !== undefined) return end === 'dismissed' || isTerminalEnd(end) ? end : `denied, ${end}`
  if (status === 'withdrawn') return supersededBy === undefined ? 'withdrawn' : 'superseded'
  if (status === 'expired') return 'expired'
  if (status !== 'allowed' && status !== 'denied') return 'pending'
  if (via === 'rule') return `${status} by rule`
  return answerEnd(question, status)
}

/** It was not answered here. */
export function isTerminalEnd(end: string): end is TerminalEnd {
  return TERMINAL_ENDS.some((one) => one === end)
}

function answerEnd({ kind, decision }: EndedQuestion, status: 'allowed' | 'denied'): QuestionEnd {
  if (decision?.behavior === 'form') return FORM_WORDS[decision.action]
  if (kind === 'question' || kind === 'form') return status === 'allowed' ? 'answered' : 'declined'
  return status
}

const FORM_WORDS = { accept: 'answered', decline: 'declined', cancel: 'dismissed' } as const

/** For a person: what such an end means, as the end of a sentence; undefined where the word says it. */
export function endMeaning(end: QuestionEnd | 'pending'): string | undefined {
  return MEANINGS[end]
}

const MEANINGS: Partial<Record<QuestionEnd | 'pending', string>> = {
  dismissed: 'no answer, neither a yes nor a no',
  expired: 'nobody answered in time, so it was not allowed',
  withdrawn: 'the session no longer asks',
  superseded: 'the session asked the same again',
  'answered in the terminal': 'the first answer counts',
  'left to the terminal': 'answer it there',
  'decided by a hook': 'a hook of the user (or project) was first',
}
