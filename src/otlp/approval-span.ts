import { ATTRIBUTE, SPAN } from './otlp-names.ts'
import { type Span, spanIdOf, traceIdOf } from './span.ts'

/** What is known of a question while it is open. */
export interface AskedQuestion {
  readonly at: number
  readonly tool?: string | undefined
  readonly toolUseId?: string | undefined
  readonly shownHash?: string | undefined
}

interface Settled {
  readonly sessionId: string
  readonly approvalId: string
  readonly status: string
  readonly at: number
  readonly by?: string | undefined
  readonly rule?: string | undefined
  readonly scope?: string | undefined
}

/** From asked to settled, also for a question that was denied, expired or withdrawn. One whose beginning is unknown has no length. */
export function approvalSpan(settled: Settled, asked: AskedQuestion | undefined): Span {
  const { sessionId, approvalId, status, at, by, rule, scope } = settled
  return {
    traceId: traceIdOf(sessionId),
    spanId: spanIdOf(sessionId, 'approval', approvalId),
    ...(asked?.toolUseId === undefined ? {} : { parentSpanId: spanIdOf(sessionId, 'call', asked.toolUseId) }),
    name: SPAN.approval,
    from: asked?.at ?? at,
    to: at,
    attributes: {
      [ATTRIBUTE.conversation]: sessionId,
      [ATTRIBUTE.tool]: asked?.tool,
      [ATTRIBUTE.approvalId]: approvalId,
      [ATTRIBUTE.decision]: status,
      [ATTRIBUTE.by]: by,
      [ATTRIBUTE.rule]: rule,
      [ATTRIBUTE.scope]: scope,
      [ATTRIBUTE.shownHash]: asked?.shownHash,
    },
  }
}
